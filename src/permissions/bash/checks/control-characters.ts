// T1: control characters change what the terminal shows and what the shell reads; such a text is sent back.
import type { TextCheck } from "./check.js";

const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

export const controlCharacters: TextCheck = (text) => {
  const found = controls.exec(text)?.[0];
  if (found === undefined) return undefined;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return {
    check: "T1",
    text: `The command holds the control character U+${code}. Send it again without control characters (write them as escapes, for example with printf or $'…').`,
  };
};
