// The one sanitiser: every string from outside (model, tools, files, hooks, servers) passes here before it is shown.
// What comes out can only print: no cursor move, mode, title, query or hidden reordering (field case F007).
import { clusterWidth, segment } from "./grapheme-width.js";

export interface SanitiseOptions {
  /** Keep colours and bold, italic, underline, inverse; everything else of ESC goes. Default false. */
  keepColour?: boolean;
  /** Columns between tab stops; 0 keeps the tab characters (for editing, not for rows). Default 8. */
  tabSize?: number;
  /**
   * What a lone CR means: "newline" shows all that was written (default), "overwrite" keeps what a terminal would show
   * in the end (progress bars).
   */
  carriageReturn?: "newline" | "overwrite";
}

// Anything but plain printable text and \n: controls, soft hyphen, bidi and invisible characters, marks, surrogates.
const suspicious =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]|\p{M}/u;
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** SGR parameters a foreign text may use; blinking (5, 6) and concealment (8) are not among them. */
const isAllowedStyle = (code: number): boolean =>
  (code <= 4 && code >= 0) ||
  code === 7 ||
  code === 9 ||
  (code >= 22 && code <= 24) ||
  code === 27 ||
  code === 29 ||
  (code >= 30 && code <= 49) ||
  (code >= 90 && code <= 107);

/** A harmless copy of an SGR sequence's parameters, or "" when nothing of it may stay. */
const safeStyle = (parameters: string): string => {
  if (parameters.length > 64 || !/^[0-9;:]*$/.test(parameters)) return "";
  const codes = parameters.split(";");
  const kept: string[] = [];
  for (let index = 0; index < codes.length; index++) {
    const parameter = codes[index] ?? "";
    const code = Number.parseInt(parameter, 10) || 0;
    if (!isAllowedStyle(code)) continue;
    if (code === 38 || code === 48) {
      const length = codes[index + 1] === "2" ? 5 : codes[index + 1] === "5" ? 3 : 1;
      const colour = codes.slice(index, index + length);
      index += length - 1;
      if (length === 1 ? !parameter.includes(":") : colour.length < length) continue;
      kept.push(colour.join(";"));
    } else kept.push(parameter);
  }
  return kept.length === 0 ? "" : `\u001b[${kept.join(";")}m`;
};

/** End of a CSI whose parameters start at `index`: `[end, final byte]`; a broken one ends before the offending character. */
const readCsi = (text: string, index: number): [number, string] => {
  let end = index;
  while (end < text.length && /[0-?]/.test(text[end] as string)) end++;
  while (end < text.length && /[ -/]/.test(text[end] as string)) end++;
  const final = text[end] ?? "";
  return /[@-~]/.test(final) ? [end + 1, final] : [end, ""];
};

/**
 * End of a string sequence (OSC, DCS, SOS, PM, APC) whose payload starts at `index`. One that is not ended on its line
 * loses only its introducer: hiding the rest of the text would let a tool's output cover its tracks.
 */
const readString = (text: string, index: number): number => {
  for (let end = index; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a) return end + 1;
    if (code === 0x1b) return text[end + 1] === "\\" ? end + 2 : end;
    if (code === 0x0a || code === 0x0d) return index;
  }
  return index;
};

const readEscape = (text: string, start: number, keepColour: boolean): [number, string] => {
  const code = text.charCodeAt(start);
  const isEightBit = code !== 0x1b;
  const kind = isEightBit ? String.fromCharCode(code - 0x40) : (text[start + 1] ?? "");
  const payload = start + (isEightBit ? 1 : 2);
  if (kind === "[") {
    const [end, final] = readCsi(text, payload);
    return [end, final === "m" && keepColour ? safeStyle(text.slice(payload, end - 1)) : ""];
  }
  if (/[\]PX^_]/.test(kind)) return [readString(text, payload), ""];
  if (isEightBit) return [payload, ""];
  let end = start + 1;
  while (end < text.length && /[ -/]/.test(text[end] as string)) end++;
  return [/[0-~]/.test(text[end] ?? "") ? end + 1 : end, ""];
};

const dropControls = (text: string, keepColour: boolean): string => {
  let out = "";
  let from = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x1b || (code >= 0x80 && code <= 0x9f)) {
      const [end, kept] = readEscape(text, index, keepColour);
      out += text.slice(from, index) + kept;
      from = index = end;
    } else if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0x7f) {
      out += text.slice(from, index);
      from = ++index;
    } else index++;
  }
  return out + text.slice(from);
};

const overwrite = (line: string): string => {
  const parts = line.split("\r").filter((part) => part !== "");
  return parts.at(-1) ?? "";
};

const applyCarriageReturns = (text: string, mode: "newline" | "overwrite"): string => {
  const unix = text.replace(/\r+\n/g, "\n");
  if (mode === "newline") return unix.replace(/\r/g, "\n");
  return unix
    .split("\n")
    .map((line) => (line.includes("\r") ? overwrite(line) : line))
    .join("\n");
};

/** Invisible characters go, reordering ones become visible, floods of combining marks are cut. */
const tameUnicode = (text: string): string =>
  text
    .replace(/[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb]/g, "")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase()}>`)
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(
      /(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|[\u{e0000}-\u{e007f}]/gu,
      (_match, flag: string | undefined) => flag ?? "",
    )
    .replace(/(\p{M}{12})\p{M}+/gu, "$1")
    .toWellFormed();

/**
 * Tabs as spaces up to the next multiple of `size`, counted from each line's start in cells (SGR counts nothing).
 * `startColumn` is where the text's first line begins.
 */
export const expandTabs = (text: string, size = 8, startColumn = 0): string => {
  if (!text.includes("\t")) return text;
  let first = true;
  return text
    .split("\n")
    .map((line) => {
      let column = first ? startColumn : 0;
      first = false;
      if (!line.includes("\t")) return line;
      let out = "";
      for (const part of line.split(/(\t|\u001b\[[0-9;:]*m)/)) {
        if (part === "\t") {
          const gap = size - (column % size);
          out += " ".repeat(gap);
          column += gap;
          continue;
        }
        if (!part.startsWith("\u001b")) for (const cluster of segment(part)) column += clusterWidth(cluster);
        out += part;
      }
      return out;
    })
    .join("\n");
};

/**
 * Text that is safe to print: only "\n", printable characters and (with `keepColour`) SGR are left. CR LF becomes LF,
 * other lone CRs follow `carriageReturn`, tabs become spaces. Never throws; plain text comes back as the same string.
 */
export const sanitise = (text: string, options: SanitiseOptions = {}): string => {
  if (!suspicious.test(text)) return text;
  const { keepColour = false, tabSize = 8, carriageReturn = "newline" } = options;
  let clean = text;
  if (clean.includes("\r")) clean = applyCarriageReturns(clean, carriageReturn);
  if (control.test(clean)) clean = dropControls(clean, keepColour);
  clean = tameUnicode(clean);
  return tabSize > 0 ? expandTabs(clean, tabSize) : clean;
};
