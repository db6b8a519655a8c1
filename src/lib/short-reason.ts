// The reason of a failure as one short line: services answer with whole pages, and people need the gist.
import { sanitise } from "./sanitise.js";

/** One line without markup and without its last full stop, at most `maxChars` characters (200: two rows of a terminal). */
export const shortReason = (reason: string, maxChars = 200): string => {
  const words = sanitise(
    reason
      .slice(0, 20_000)
      .replace(/<(style|script|head)\b[^>]*>[\s\S]*?<\/\1>/gi, " ")
      .replace(/<\/?[a-z!][^>]*>/gi, " "),
  )
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.:;,\s]+$/, "");
  const cut = words.length <= maxChars ? words : `${words.slice(0, maxChars - 1).trimEnd()}…`;
  return cut === "" ? "The request failed" : cut;
};
