// Why a text was not found: the most likely reason and the closest place, so that the next try hits.
import { splitLines, stripNumbers } from "../shared/numbering.js";

const maxShown = 5;
const maxLinesCompared = 20_000; // fuzzy comparison of longer files would take seconds

/** One or two sentences for the model. `text` and `old` with any line ends. */
export const explainMiss = (text: string, old: string): string => {
  const file = text.replaceAll("\r\n", "\n");
  const wanted = old.replaceAll("\r\n", "\n");
  for (const reason of [lineNumbers, escapes, unicodeForm, whitespace, letterCase, closestLine]) {
    const hint = reason(file, wanted);
    if (hint) return hint;
  }
  return "Nothing in the file looks like it. Read the file again.";
};

const lineNumbers = (file: string, wanted: string): string | undefined => {
  const plain = stripNumbers(wanted);
  if (plain === undefined || !file.includes(plain)) return undefined;
  return "old_string contains the line numbers that Read shows; leave out each number and the tab after it.";
};

const unescaped = (text: string): string =>
  text.replace(/\\(n|t|"|'|`|\\)/g, (_, char: string) => (char === "n" ? "\n" : char === "t" ? "\t" : char));

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const escapes = (file: string, wanted: string): string | undefined => {
  const fewer = unescaped(wanted);
  if (fewer !== wanted && file.includes(fewer)) {
    return `old_string has one backslash escape too many: in the file it is ${JSON.stringify(cut(fewer))} (as a JSON string).`;
  }
  const more = escaped(wanted);
  if (more !== wanted && file.includes(more)) {
    return `The file has the escape sequences themselves, for example backslash and n instead of a line break: ${JSON.stringify(cut(more))} (as a JSON string).`;
  }
  return undefined;
};

/** As a JSON string in which every character beyond ASCII is an escape: forms that look alike can be told apart. */
const inEscapes = (text: string): string =>
  JSON.stringify(cut(text)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const unicodeForm = (file: string, wanted: string): string | undefined => {
  for (const form of ["NFC", "NFD"] as const) {
    const other = wanted.normalize(form);
    if (other !== wanted && file.includes(other)) {
      const how = form === "NFD" ? "as a letter and a mark behind it" : "as one character each";
      return `Only the Unicode form differs: the file has accented letters ${how} (${form}). Use exactly ${inEscapes(other)} (as a JSON string).`;
    }
  }
  if (!file.normalize("NFC").includes(wanted.normalize("NFC"))) return undefined;
  return "Only the Unicode form differs: letters and their accents are composed differently in the file, in more than one way. Choose an old_string without them.";
};

const whitespace = (file: string, wanted: string): string | undefined => {
  const lines = file.split("\n");
  const wantedLines = trimBlankEnds(wanted.split("\n"));
  if (wantedLines.length === 0) return undefined;
  const places = placesIgnoring(lines, wantedLines, (line) => line.trim());
  if (places.length === 0) return squeezed(lines, wantedLines);
  if (places.length > 1) {
    return `Apart from whitespace it is there ${places.length} times (lines ${list(places.map((place) => place + 1))}): copy the lines exactly, with enough around them to be unique.`;
  }
  const place = places[0]!;
  const found = lines.slice(place, place + wantedLines.length);
  return `${indentReason(found, wantedLines)} ${showLines(found, place + 1)}`;
};

const squeezed = (lines: readonly string[], wanted: readonly string[]): string | undefined => {
  const [place] = placesIgnoring(lines, wanted, (line) => line.replace(/\s+/g, ""));
  if (place === undefined) return undefined;
  return `It differs in the whitespace inside a line. ${showLines(lines.slice(place, place + wanted.length), place + 1)}`;
};

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

const indentReason = (found: readonly string[], wanted: readonly string[]): string => {
  const index = found.findIndex((line, at) => indentOf(line) !== indentOf(wanted[at]!));
  if (index < 0) return "It differs in whitespace at the end of a line.";
  const [file, model] = [indentOf(found[index]!), indentOf(wanted[index]!)];
  if (file.includes("\t") && !model.includes("\t")) return "This file indents with tabs, old_string with spaces.";
  if (!file.includes("\t") && model.includes("\t")) return "This file indents with spaces, old_string with tabs.";
  return "The indentation differs.";
};

const letterCase = (file: string, wanted: string): string | undefined => {
  const at = file.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return undefined;
  return `Upper and lower case differ: in the file it is ${JSON.stringify(cut(file.slice(at, at + wanted.length)))} (as a JSON string).`;
};

const closestLine = (file: string, wanted: string): string | undefined => {
  const lines = splitLines(file).slice(0, maxLinesCompared);
  const wantedLines = wanted.split("\n");
  const first = wantedLines.findIndex((line) => line.trim().length > 2);
  if (first < 0) return undefined;
  const target = wantedLines[first]!.trim();
  let best = { score: 0, at: -1 };
  lines.forEach((line, at) => {
    const score = likeness(line.trim(), target);
    if (score > best.score) best = { score, at };
  });
  if (best.score < 0.5) return undefined;
  const differing = firstDifference(lines, best.at, wantedLines, first);
  return `The closest place is line ${best.at + 1}.${differing} ${showLines(lines.slice(best.at, best.at + wantedLines.length - first), best.at + 1)}`;
};

const firstDifference = (lines: readonly string[], at: number, wanted: readonly string[], first: number): string => {
  for (let index = first; index < wanted.length; index++) {
    if (lines[at + index - first] !== wanted[index])
      return index === first ? "" : ` Line ${at + index - first + 1} is the first that differs.`;
  }
  return "";
};

/** 0 to 1: share of letter pairs that both have. */
const likeness = (a: string, b: string): number => {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2 || a.length > b.length * 3 || b.length > a.length * 3) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at < a.length - 1; at++) pairs.set(a.slice(at, at + 2), (pairs.get(a.slice(at, at + 2)) ?? 0) + 1);
  let shared = 0;
  for (let at = 0; at < b.length - 1; at++) {
    const left = pairs.get(b.slice(at, at + 2)) ?? 0;
    if (left > 0) shared++;
    pairs.set(b.slice(at, at + 2), left - 1);
  }
  return (2 * shared) / (a.length + b.length - 2);
};

const trimBlankEnds = (lines: string[]): string[] => {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
};

const placesIgnoring = (
  lines: readonly string[],
  wanted: readonly string[],
  form: (line: string) => string,
): number[] => {
  const forms = wanted.map(form);
  const all = lines.map(form);
  const places: number[] = [];
  for (let at = 0; at + forms.length <= all.length; at++) {
    if (forms.every((line, index) => all[at + index] === line)) places.push(at);
  }
  return places;
};

const list = (numbers: readonly number[]): string =>
  numbers.length > 10 ? `${numbers.slice(0, 10).join(", ")}, …` : numbers.join(", ");

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const showLines = (lines: readonly string[], start: number): string => {
  const shown = lines.slice(0, maxShown).map((line, index) => `line ${start + index}: ${JSON.stringify(cut(line))}`);
  const rest = lines.length > maxShown ? `, and ${lines.length - maxShown} more` : "";
  return `In the file (as JSON strings): ${shown.join(", ")}${rest}`;
};
