// Foreign text at its worst, put into every text of a sample; and the check that none of it got through.
import fc from "fast-check";

/** Each of these would do something to a terminal. */
export const attacks = [
  "\u001b[2J",
  "\u001b[H",
  "\u001b[?1049l",
  "\u001b[?1003h",
  "\u001b[6n",
  "\u001b[c",
  "\u001b]0;owned\u0007",
  "\u001b]52;c;b3duZWQ=\u0007",
  "\u001b]8;;http://evil.example\u001b\\",
  "\u001b]11;?\u001b\\",
  "\u001bPq#0\u001b\\",
  "\u001b_G\u001b\\",
  "\u001bc",
  "\u001b(0",
  "\u009b2J",
  "\u009d0;owned\u009c",
  "\u0090q\u009c",
  "\u001b",
  "\u001b[",
  "\u001b]",
  "\u0007",
  "\b\b\b",
  "\r",
  "\u000b",
  "\u000c",
  "\u000e",
  "\u007f",
  "\u202eabc",
  "\u2066x",
  "\u0000",
] as const;

/** Text with attacks at any place. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...attacks), fc.constantFrom("text", "日本", " ", "`", "**", "| a |\n", "\n```\n")), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

/** Members that choose what is drawn: they come from our own code, never from outside. */
const structural = new Set([
  ...["kind", "type", "id", "ids", "mode", "modeBefore", "behavior", "status", "change", "state", "level", "outcome"],
  ...["destination", "source", "callId", "messageId"],
]);

/** A copy with `poison` behind every text that may come from outside. */
export const poisoned = <T>(value: T, poison: string): T => {
  if (typeof value === "string") return `${value}${poison}` as T;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, poison)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, structural.has(key) ? member : poisoned(member, poison)]),
  ) as T;
};

/** What we write ourselves: colours and links whose target is printable. */
const ours = /\u001b\[[0-9;:]*m|\u001b\]8;;[!-~]*\u001b\\/g;
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** The first character that may not be on a screen, with what stands around it; null when all is well. */
export const leak = (drawn: string): string | null => {
  const rest = drawn.replace(ours, "");
  const at = rest.search(controls);
  return at < 0 ? null : JSON.stringify(rest.slice(Math.max(0, at - 20), at + 20));
};
