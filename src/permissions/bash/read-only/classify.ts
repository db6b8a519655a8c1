// Says of one command whether it only reads, what it reads, and whether its output is a listing of paths.
import type { Finding, Operand, ShellContext } from "../analysis.js";
import { operandsOf } from "../operand.js";
import { type Scanned, scanOptions } from "../options.js";
import type { Feed, Scope } from "../scope.js";
import { isStaticWord, maySplit, onlyValue, secretsOf, type Word } from "../words.js";
import type { ReadOnlySpec } from "./spec.js";
import { knownGroups, readOnlyTable, versionPrograms } from "./table.js";

export interface Verdict {
  /** Empty: read-only. */
  findings: Finding[];
  reads: Operand[];
  /** What it prints, as far as it is known. */
  output: Feed;
}

export interface CommandContext {
  scope: Scope;
  context: ShellContext;
}

/** Reads a command that needs more than the table. The words include the name. */
export type Reader = (words: readonly Word[], command: CommandContext) => Verdict;

export const finding = (check: string, text: string): Finding => ({ check, text });

export const verdict = (findings: Finding[], reads: Operand[] = [], output: Feed = {}): Verdict => ({
  findings,
  reads,
  output,
});

/** Variables that look secret must not be printed unasked. */
export const secretFindings = (words: readonly Word[]): Finding[] =>
  [...new Set(words.flatMap(secretsOf))].map((name) =>
    finding("F2", `would show the variable ${name}, which looks secret`),
  );

/** Options that the table forbids or does not know. */
const optionFindings = (name: string, { options }: Scanned, spec: ReadOnlySpec): Finding[] =>
  options.flatMap(({ name: option, written }) => {
    const check = forbidden(option, spec);
    return check ? finding(check, `${name} ${written} is not known to be harmless`) : [];
  });

const forbidden = (option: string, { never, only, files }: ReadOnlySpec): string | undefined => {
  const direct = never?.get(option);
  if (direct) return direct;
  if (option.startsWith("--") && never) for (const [name, check] of never) if (name.startsWith(option)) return check;
  if (files?.includes(option)) return undefined;
  if (!only) return undefined;
  if (option.startsWith("--")) return only.long.includes(option.slice(2)) ? undefined : "W1";
  // A number as in `-20` is a count.
  return only.letters.includes(option.slice(1)) ? undefined : "W1";
};

const fileValues = ({ options }: Scanned, spec: ReadOnlySpec, scope: Scope): Operand[] =>
  options.flatMap(({ name, value }) => (value && spec.files?.includes(name) ? operandsOf(value, scope) : []));

const isRecursive = ({ options }: Scanned, { recursive }: ReadOnlySpec): boolean =>
  recursive === true || options.some(({ name }) => recursive?.includes(name));

/** The operands that are paths. */
const pathWords = (scanned: Scanned, spec: ReadOnlySpec): Word[] => {
  if (spec.operands === "text" || spec.operands === "none") return [];
  const isGiven = scanned.options.some(({ name }) => spec.patterns?.includes(name));
  return spec.operands === "pattern" && !isGiven ? scanned.operands.slice(1) : scanned.operands;
};

/** What the command prints, when its lines are paths. */
const outputOf = (scanned: Scanned, spec: ReadOnlySpec, { scope }: CommandContext, paths: readonly Word[]): Feed => {
  const onlyLetters = (letters: string) =>
    scanned.options.every(
      ({ name }) => /^-[0-9]$/.test(name) || (!name.startsWith("--") && letters.includes(name.slice(1))),
    );
  const { lists, keepsLists } = spec;
  const isListing =
    typeof lists === "string"
      ? onlyLetters(lists)
      : lists !== undefined && scanned.options.some(({ name }) => lists.includes(name));
  const isClear = !scanned.options.some(
    ({ name }) => name === "-o" || name === "--only-matching" || name === "--label",
  );
  if (isListing && isClear && scope.cwd !== undefined) return { under: scope.cwd };
  // One count, without the names of files behind it.
  const isCounting = spec.counts !== undefined && scanned.options.length > 0 && onlyLetters(spec.counts);
  const isGrep = spec.operands === "pattern";
  if (isCounting && paths.length === 0 && (!isGrep || scanned.options.some(({ name }) => name === "-c")))
    return { isNumber: true };
  const under = scope.stdin?.under;
  if (keepsLists !== undefined && under !== undefined && paths.length === 0 && onlyLetters(keepsLists))
    return { under };
  return {};
};

/** Reads a command by its entry of the table. */
export const readByTable = (words: readonly Word[], spec: ReadOnlySpec, command: CommandContext): Verdict => {
  const name = words[0]?.written ?? "";
  const scanned = scanOptions(words.slice(1), spec);
  const findings = [...optionFindings(name, scanned, spec), ...secretFindings(words)];
  const isOpen = scanned.unsure.find((word) => !spec.isAnyOption || isRiskyText(word, spec));
  if (isOpen) findings.push(finding("W1", `${isOpen.written} could turn into an option of ${name}`));
  if (spec.operands === "none" && scanned.operands.length > 0)
    findings.push(finding("W3", `${name} with an operand changes things`));
  if (spec.maxOperands !== undefined && (scanned.operands.length > spec.maxOperands || scanned.operands.some(maySplit)))
    findings.push(finding("W3", `a further operand of ${name} is an output file`));
  const paths = pathWords(scanned, spec);
  const extra = {
    ...(isRecursive(scanned, spec) ? { isRecursive: true } : {}),
    ...(spec.operands === "metadata" ? { isMetadata: true } : {}),
  };
  const reads = [
    ...paths.flatMap((word) => operandsOf(word, command.scope, extra)),
    ...fileValues(scanned, spec, command.scope),
  ];
  if (paths.length === 0 && (spec.usesCwd || extra.isRecursive)) reads.push(...cwdOperand(command.scope, extra));
  return verdict(findings, reads, outputOf(scanned, spec, command, paths));
};

/** Unknown text in front of files could be an option that opens a file. Names from a listing are taken as names. */
const isRiskyText = (word: Word, spec: ReadOnlySpec): boolean =>
  (spec.files !== undefined || spec.never !== undefined) &&
  word.alternatives.some((pieces) => pieces.some((piece) => piece.kind === "unknown" && piece.under === undefined)) &&
  !isStaticWord(word);

export const cwdOperand = ({ cwd }: Scope, extra: Pick<Operand, "isRecursive" | "isMetadata"> = {}): Operand[] => [
  { text: ".", ...extra, ...(cwd === undefined ? {} : { path: cwd }) },
];

const isVersionQuery = (name: string, words: readonly Word[]): boolean => {
  const argument = words.length === 2 && words[1] ? onlyValue(words[1]) : undefined;
  if (!versionPrograms.has(name) || argument === undefined) return false;
  return argument === "--version" || argument === "-V" || (argument === "-v" && name !== "rg" && name !== "jq");
};

/** The verdict of a command that nothing recognises. */
const unknownCommand = (name: string): Verdict => {
  const [check, text] = knownGroups.get(name) ?? ["D0", "is not known to only read"];
  return verdict([finding(check, `${name} ${text}`)]);
};

/** Classifies a command by its base name; `readers` are the commands with a language of their own. */
export const classify = (
  name: string,
  words: readonly Word[],
  command: CommandContext,
  readers: ReadonlyMap<string, Reader>,
): Verdict => {
  if (isVersionQuery(name, words)) return verdict([]);
  const reader = readers.get(name);
  if (reader) return reader(words, command);
  const spec = readOnlyTable.get(name);
  return spec ? readByTable(words, spec, command) : unknownCommand(name);
};
