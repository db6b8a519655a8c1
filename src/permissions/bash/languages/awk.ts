// awk: its program is scanned by tokens for what runs, writes or reads beyond its input files.
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import { onlyValue, unquoted } from "../words.js";

const grammar = {
  valued: "FvfieEdoplWL",
  isPosix: true,
  longValued: ["field-separator", "assign", "file", "include", "exec"],
};
const harmless = /^(-F|-v|--field-separator|--assign|--posix|--traditional|--re-interval|--version|-V)$/;

interface Token {
  kind: "string" | "regex" | "word" | "mark";
  text: string;
}

/** A slash begins a regular expression where a value may begin. */
const beginsValue = (previous: Token | undefined): boolean =>
  previous === undefined ||
  (previous.kind === "mark" && !/^[)\]$]$|^\+\+$|^--$/.test(previous.text)) ||
  (previous.kind === "word" && /^(print|printf|return|in|if|while|else|do|case)$/.test(previous.text));

const literalEnd = (program: string, at: number, end: string): number => {
  for (let index = at + 1; index < program.length; index++) {
    if (program[index] === "\\") index++;
    else if (program[index] === end) return index + 1;
    else if (program[index] === "\n") return -1;
  }
  return -1;
};

/** Splits a program into tokens; undefined when a string or regular expression does not end. */
const tokens = (program: string): Token[] | undefined => {
  const found: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const char = program[at] ?? "";
    if (/\s/.test(char)) {
      if (char === "\n") found.push({ kind: "mark", text: "\n" });
      at++;
      continue;
    }
    if (char === "#") {
      at = program.indexOf("\n", at) === -1 ? program.length : program.indexOf("\n", at);
      continue;
    }
    if (char === '"' || (char === "/" && beginsValue(found.at(-1)))) {
      const end = literalEnd(program, at, char);
      if (end === -1) return undefined;
      found.push({ kind: char === '"' ? "string" : "regex", text: program.slice(at, end) });
      at = end;
      continue;
    }
    const word = program.slice(at).match(/^[A-Za-z_][A-Za-z0-9_:]*|^\d[\w.]*/)?.[0];
    const text = word ?? program.slice(at).match(/^(\|&|\|\||>>|>=|<=|==|!=|&&|\+\+|--|!~|\*\*)/)?.[0] ?? char;
    found.push({ kind: word ? "word" : "mark", text });
    at += text.length;
  }
  return found;
};

/** Whether the `>` at an index redirects: it follows a print outside parentheses. */
const isRedirect = (list: readonly Token[], at: number): boolean => {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const { text, kind } = list[index] as Token;
    if (kind !== "word" && kind !== "mark") continue;
    if (text === ")" || text === "]") depth++;
    else if (text === "(" || text === "[") {
      if (depth === 0) return false;
      depth--;
    } else if (depth === 0 && /^(print|printf)$/.test(text)) return true;
    else if (depth === 0 && /^([;{}\n])$/.test(text)) return false;
  }
  return false;
};

const dangers: ReadonlyMap<string, string> = new Map([
  ["system", "runs a command"],
  ["getline", "reads a file or a command"],
  ["ENVIRON", "reads the environment"],
  ["PROCINFO", "reads facts of the process"],
  ["fflush", "flushes files"],
  ["close", "closes files"],
  ["ARGV", "changes which files are read"],
  ["ARGC", "changes which files are read"],
]);

/** What makes a program more than a filter; undefined when nothing does. */
export const awkDanger = (program: string): string | undefined => {
  const list = tokens(program);
  if (!list) return "is not understood";
  for (const [index, { kind, text }] of list.entries()) {
    if (kind === "word" && dangers.has(text)) return `${text} ${dangers.get(text)}`;
    if (kind === "word" && text.includes("::")) return "uses a namespace";
    if (kind === "mark" && text === "@") return "calls or loads by name";
    if (kind === "mark" && (text === "|" || text === "|&")) return "pipes into a command";
    if (kind === "mark" && (text === ">>" || (text === ">" && isRedirect(list, index)))) return "writes a file";
    if (kind === "string" && /\/inet[46]?\//.test(text)) return "uses the network";
  }
  return undefined;
};

export const readAwk: Reader = (words, { scope }) => {
  const scanned = scanOptions(words.slice(1), grammar);
  const findings = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (!harmless.test(name)) findings.push(finding("L2", `awk ${written} is not known to be harmless`));
  const [program, ...files] = scanned.operands;
  const text = program && onlyValue(program);
  const danger = text === undefined ? "is not constant" : awkDanger(text);
  if (danger) findings.push(finding("L2", `the awk program ${danger}`));
  // `name=value` between files is an assignment; as a path it would be judged needlessly strictly, so it asks only outside.
  const reads = files
    .filter((word) => !/^[A-Za-z_]\w*=/.test(unquoted(word)))
    .flatMap((word) => operandsOf(word, scope));
  return verdict(findings, reads);
};
