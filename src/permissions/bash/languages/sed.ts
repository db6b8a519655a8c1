// sed: its script is read command by command; what writes, runs or opens files is found.
import type { Finding, Operand } from "../analysis.js";
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import { maySplit, onlyValue, type Word } from "../words.js";

const grammar = {
  valued: "efl",
  glued: "i",
  longValued: ["expression", "file", "line-length"],
  longPlain: [
    "quiet",
    "silent",
    "debug",
    "follow-symlinks",
    "in-place",
    "posix",
    "regexp-extended",
    "separate",
    "sandbox",
    "unbuffered",
    "null-data",
    "zero-terminated",
    "help",
    "version",
  ],
};
const harmless =
  /^(-[nEruszb]|--(quiet|silent|posix|regexp-extended|separate|sandbox|unbuffered|null-data|zero-terminated|debug|follow-symlinks|expression|line-length|version|help)|-[el])$/;

/** Index behind a bracket expression that begins at `at`, or -1. */
const skipBracket = (script: string, at: number): number => {
  const found = script.slice(at).match(/^\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]\n])*\]/)?.[0];
  return found ? at + found.length : -1;
};

/** Skips a delimited text that begins at `at`; returns the index behind its end, or -1 when it has none. */
const skipDelimited = (script: string, at: number, delimiter: string, isPattern: boolean): number => {
  for (let index = at; index < script.length; index++) {
    const char = script[index];
    if (char === "\\") index++;
    else if (char === "\n") return -1;
    else if (char === delimiter) return index + 1;
    else if (isPattern && char === "[") {
      const end = skipBracket(script, index);
      if (end === -1) return -1;
      // Builds of sed disagree whether a bracket hides the delimiter; where it matters nothing is certain.
      if (script.slice(index, end).includes(delimiter) && !isHarmlessEitherWay(script, end, delimiter)) return -1;
      index = end - 1;
    }
  }
  return -1;
};

/** Read without brackets, what follows the next delimiter would be flags: no flag may stand there. */
const isHarmlessEitherWay = (script: string, end: number, delimiter: string): boolean => {
  const next = script.indexOf(delimiter, end);
  return next !== -1 && script[next + 1] !== undefined && !/[a-zA-Z0-9;}\n \t]/.test(script[next + 1] ?? "");
};

const address = (script: string, at: number): number => {
  const rest = script.slice(at);
  const simple = rest.match(/^(\d+(~\d+)?|\$)/)?.[0];
  if (simple) return at + simple.length;
  if (rest.startsWith("/")) {
    const end = skipDelimited(script, at + 1, "/", true);
    return end === -1 ? -1 : skipFlags(script, end);
  }
  if (rest.startsWith("\\") && rest.length > 1) {
    const end = skipDelimited(script, at + 2, rest[1] ?? "", true);
    return end === -1 ? -1 : skipFlags(script, end);
  }
  return at;
};

const skipFlags = (script: string, at: number): number => at + (script.slice(at).match(/^[IM]*/)?.[0].length ?? 0);
const skip = (script: string, at: number, pattern: RegExp): number =>
  at + (script.slice(at).match(pattern)?.[0].length ?? 0);

/** Index behind the addresses in front of a command, or -1. */
const addresses = (script: string, from: number): number => {
  let at = address(script, from);
  if (at === -1) return -1;
  at = skip(script, at, /^[ \t]*/);
  if (script[at] === "," && at > from) {
    at = skip(script, at + 1, /^[ \t]*[~+]?/);
    const second = address(script, at);
    if (second === -1 || second === at) return -1;
    at = second;
  }
  return skip(script, at, /^[ \t!]*/);
};

/** Behind `s///flags` or `y///`; a message when it does more than edit. */
const substitution = (script: string, at: number, command: string): number | string => {
  const delimiter = script[at];
  if (delimiter === undefined || /[\\\n]/.test(delimiter)) return "an incomplete command";
  const middle = skipDelimited(script, at + 1, delimiter, command === "s");
  const end = middle === -1 ? -1 : skipDelimited(script, middle, delimiter, false);
  if (end === -1) return "an incomplete command";
  if (command === "y") return end;
  const flags = script.slice(end).match(/^[a-zA-Z0-9]*/)?.[0] ?? "";
  if (/[^gpiI0-9]/.test(flags)) return `the flags ${flags} of s`;
  return end + flags.length;
};

/** What makes a script more than an edit of the stream; undefined when nothing does. */
export const sedDanger = (script: string): string | undefined => {
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /^[ \t\n;{}]*/);
    if (at >= script.length) return undefined;
    if (script[at] === "#") {
      at = skip(script, at, /^[^\n]*/);
      continue;
    }
    at = addresses(script, at);
    if (at === -1) return "an address that is not understood";
    const command = script[at] ?? "";
    at++;
    if (command === "s" || command === "y") {
      const next = substitution(script, at, command);
      if (typeof next === "string") return next;
      at = next;
    } else if (/[aic]/.test(command)) {
      // Text of a, i and c runs to the end of the line; continued lines go on.
      at = skip(script, at, /^(?:\\\n|[^\n\\]|\\[^\n])*/);
      continue;
    } else if (/[btT:]/.test(command)) at = skip(script, at, /^[ \t]*[^;\n}]*/);
    else if (/[qQlL]/.test(command)) at = skip(script, at, /^[ \t]*\d*/);
    else if (!/[pPdDgGhHnNx={}zF]/.test(command)) return `the command ${command}`;
    at = skip(script, at, /^[ \t]*/);
    if (at < script.length && !/[;\n}#{]/.test(script[at] ?? "") && !/[{]/.test(command))
      return `text behind the command ${command}`;
  }
  return undefined;
};

export interface SedCall {
  isInPlace: boolean;
  findings: Finding[];
  files: Word[];
}

/** Takes a sed call apart: whether it edits in place, what is wrong with its script, its files. */
export const readSedCall = (words: readonly Word[]): SedCall => {
  const scanned = scanOptions(words.slice(1), grammar);
  const findings: Finding[] = [...secretFindings(words)];
  const isInPlace = scanned.options.some(({ name }) => name === "-i" || name === "--in-place");
  for (const { name, written } of scanned.options)
    if (name !== "-i" && name !== "--in-place" && !harmless.test(name))
      findings.push(finding("L1", `sed ${written} is not known to be harmless`));
  const given = scanned.options.flatMap(({ name, value }) => (name === "-e" || name === "--expression" ? [value] : []));
  const scripts = given.length > 0 ? given : scanned.operands.slice(0, 1);
  const files = given.length > 0 ? scanned.operands : scanned.operands.slice(1);
  if (scripts.length === 0) findings.push(finding("L1", "sed without a script"));
  if (scanned.unsure.length > 0)
    findings.push(finding("W1", `${scanned.unsure[0]?.written} could turn into an option of sed`));
  for (const script of scripts) {
    const text = script && onlyValue(script);
    const danger = text === undefined ? "a script that is not constant" : sedDanger(text);
    if (danger) findings.push(finding("L1", `sed with ${danger}`));
  }
  return { isInPlace, findings, files };
};

export const readSed: Reader = (words, { scope }) => {
  const { isInPlace, findings, files } = readSedCall(words);
  const reads: Operand[] = files.flatMap((word) => operandsOf(word, scope));
  if (isInPlace) findings.push(finding("W1", "sed -i edits in place"));
  if (
    files.some(
      (word) => maySplit(word) && !word.alternatives.every(([first]) => first?.kind === "text" && first.text !== ""),
    )
  )
    findings.push(finding("W1", "names that could turn into options of sed"));
  return verdict(findings, reads);
};
