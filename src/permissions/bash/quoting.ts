// Removes the quoting of plain text: backslashes, double quotes, ANSI-C escapes.
import type { Atom } from "./braces.js";

const quotedAtoms = (text: string): Atom[] => [...text].map((char) => ({ char, isQuoted: true }));

/** Unquoted text: a backslash quotes the next character, a line continuation vanishes. */
export const bareAtoms = (text: string): Atom[] => {
  const atoms: Atom[] = [];
  const chars = [...text];
  for (let index = 0; index < chars.length; index++) {
    const char = chars[index] ?? "";
    if (char !== "\\") atoms.push({ char, isQuoted: false });
    else {
      const next = chars[++index];
      if (next === undefined) atoms.push({ char: "\\", isQuoted: true });
      else if (next !== "\n") atoms.push({ char: next, isQuoted: true });
    }
  }
  return atoms;
};

/** Literal text between double quotes. */
export const doubleQuotedAtoms = (text: string): Atom[] =>
  quotedAtoms(text.replace(/\\\n/g, "").replace(/\\([$`"\\])/g, "$1"));

export const singleQuotedAtoms = (text: string): Atom[] => quotedAtoms(text);

const simpleEscapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "\x07",
    b: "\b",
    e: "\x1b",
    E: "\x1b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
    v: "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
  }),
);

/** The text that `$'…'` stands for; the argument is what lies between the quotes. A NUL cuts it, as in bash. */
export const ansiText = (text: string): string => {
  const decoded = text.replace(
    /\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|[\s\S])/g,
    (whole, code: string) => {
      const simple = simpleEscapes.get(code);
      if (simple !== undefined) return simple;
      if (/^[xuU]/.test(code) && code.length > 1) {
        const point = Number.parseInt(code.slice(1), 16);
        return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
      }
      if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
      if (/^c./.test(code)) return String.fromCharCode(code.charCodeAt(1) & 0x1f);
      return whole;
    },
  );
  return decoded.split("\0")[0] ?? "";
};
