// T4: long runs of blanks push the rest of a command out of sight.
import type { TextCheck } from "./check.js";

const maxBlanks = 40;
const maxEmptyLines = 20;

export const padding: TextCheck = (text, collector) => {
  const bare = text.replace(/'[^']*'|"(?:\\.|[^"\\])*"/gs, "q");
  if (new RegExp(`[ \\t]{${maxBlanks},}|(?:[ \\t]*\\n){${maxEmptyLines},}`).test(bare))
    collector.note("T4", "a long run of blanks hides what follows");
  return undefined;
};
