// git: global options, subcommands and their options by the table; everything else asks.
import type { Finding, Operand } from "../analysis.js";
import { operandsOf } from "../operand.js";
import { type Option, scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import type { Scope } from "../scope.js";
import { mayBeOption, maySplit, onlyValue, type Word } from "../words.js";
import { type GitEntry, gitGlobals, gitGlobalValued, gitNever, gitTable } from "./git-table.js";

/** Index of the subcommand behind the global options, or -1 when a word there is not known. */
export const gitSubcommand = (words: readonly Word[]): number => {
  for (let index = 1; index < words.length; index++) {
    const text = onlyValue(words[index] as Word);
    if (text === undefined) return -1;
    if (!text.startsWith("-")) return index;
    if (gitGlobalValued.has(text)) index++;
  }
  return -1;
};

/** Whether a written option is, or may be an abbreviation of, one in the list. */
const isListed = (name: string, list: readonly string[]): boolean =>
  list.some((entry) => entry === name || (name.startsWith("--") && name.length > 3 && entry.startsWith(name)));

const optionFindings = (subcommand: string, options: readonly Option[], entry: GitEntry): Finding[] =>
  options.flatMap(({ name, value, written }) => {
    // %G placeholders start the program that checks signatures.
    if (/^--(format|pretty)$/.test(name) && /%G/.test((value && onlyValue(value)) ?? "%G"))
      return [finding("G2", `git ${subcommand} ${written} checks signatures`)];
    const isCount = /^-\d$/.test(name);
    const isRefused = isListed(name, gitNever) || isListed(name, entry.never ?? []);
    const isUnknown = entry.only !== undefined && !entry.only.includes(name) && !isCount;
    return isRefused || isUnknown ? [finding("G2", `git ${subcommand} ${written} is not known to only read`)] : [];
  });

const noFilesOutside = (operands: readonly Word[], scope: Scope): Operand[] =>
  // Revisions and pathspecs stay in the repository; what looks like a way out of it is judged as a path.
  operands.flatMap((word) => {
    const text = onlyValue(word);
    return text === undefined || /^[/~]|(^|\/)\.\.(\/|$)/.test(text)
      ? operandsOf(word, scope).filter(({ path, glob }) => path ?? glob)
      : [];
  });

/** Contents named as operands fall under Read rules: existing paths and `rev:path`. */
const shownFiles = (operands: readonly Word[], scope: Scope): Operand[] =>
  operands.flatMap((word) => {
    const text = onlyValue(word);
    if (text === undefined || text.startsWith("-")) return [];
    const path = text.replace(/^[^:/]*:/, "");
    if (path === "" || scope.cwd === undefined || /^[:^~@]/.test(path) || /\.\.\.?/.test(path)) return [];
    return [{ text, path: path.startsWith("/") ? path : `${scope.cwd}/${path}` }];
  });

const configFindings = (options: readonly Option[], operands: readonly Word[]): Finding[] => {
  const isQuery = options.some(({ name }) => /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l)$/.test(name));
  if (isQuery) return [];
  const [name] = operands;
  const text = operands.length === 1 && name ? onlyValue(name) : undefined;
  return text !== undefined && /^[\w-]+(\.[^=\s]+)+$/.test(text)
    ? []
    : [finding("G2", "git config that is not a query")];
};

const reflogForms: ReadonlySet<string> = new Set(["expire", "delete", "drop", "write"]);

const formFindings = (
  subcommand: string,
  options: readonly Option[],
  operands: readonly Word[],
  entry: GitEntry,
): Finding[] => {
  if (subcommand === "config") return configFindings(options, operands);
  const first = operands[0] ? onlyValue(operands[0]) : "";
  if (subcommand === "reflog" && (first === undefined || reflogForms.has(first)))
    return [finding("G2", `git reflog ${first ?? ""} changes the log`)];
  if (subcommand === "symbolic-ref" && operands.length !== 1)
    return [finding("G2", "git symbolic-ref with a new target writes")];
  if (subcommand === "var" && operands.length !== 1 && options.length === 0)
    return [finding("G2", "git var needs one name")];
  if (entry.forms) {
    if (first === undefined || !entry.forms.includes(first))
      return [finding("G2", `git ${subcommand} ${first ?? ""} is not known to only read`)];
    const further = operands.length - (first === "" ? 0 : 1);
    const isWide = entry.operands === "none" && first !== "get-url" && further > 0;
    return isWide ? [finding("G2", `git ${subcommand} with these words is not known to only read`)] : [];
  }
  if (operands.length === 0 || entry.operands === "any") return [];
  const isListing = entry.operands !== "none" && options.some(({ name }) => entry.operands.includes(name));
  return isListing ? [] : [finding("G2", `git ${subcommand} with a name creates or changes it`)];
};

/** Cuts pathspecs behind `--` off, so that they are not taken for revisions. */
const grammarOf = (entry: GitEntry) => ({
  valued: (entry.valued ?? [])
    .filter((name) => !name.startsWith("--"))
    .map((name) => name.slice(1))
    .join(""),
  longValued: (entry.valued ?? []).filter((name) => name.startsWith("--")).map((name) => name.slice(2)),
  glued: subclusterGlued,
});
const subclusterGlued = "MCBDlX"; // -M50% and the like: their value is glued or missing

const unsureFinding = (words: readonly Word[]): Finding[] => {
  const end = words.findIndex((word) => onlyValue(word) === "--");
  const open = words
    .slice(0, end === -1 ? undefined : end)
    .find((word) => onlyValue(word) === undefined && (mayBeOption(word) || maySplit(word)));
  return open ? [finding("W1", `${open.written} could turn into an option of git`)] : [];
};

export const readGit: Reader = (words, { scope }) => {
  const findings = [...secretFindings(words)];
  const at = gitSubcommand(words);
  const name = at === -1 ? undefined : onlyValue(words[at] as Word);
  const globals = words.slice(1, at === -1 ? undefined : at);
  for (const word of globals) {
    const text = onlyValue(word);
    if (text === undefined || !gitGlobals.has(text))
      findings.push(finding("G1", `git ${word.written} in front of the subcommand`));
  }
  const only = words.length === 2 ? words[1] && onlyValue(words[1]) : undefined;
  if (only === "--version") return verdict([]);
  const entry = name === undefined ? undefined : gitTable.get(name);
  if (name === undefined || !entry)
    return verdict([...findings, finding("G2", `git ${name ?? ""} is not known to only read`)]);
  const rest = words.slice(at + 1);
  const { options, operands } = scanOptions(rest, grammarOf(entry));
  findings.push(
    ...unsureFinding(rest),
    ...optionFindings(name, options, entry),
    ...formFindings(name, options, operands, entry),
  );
  const reads = [...noFilesOutside(operands, scope), ...(entry.isShowing ? shownFiles(operands, scope) : [])];
  const isListing =
    entry.lists === true ||
    (entry.lists !== undefined &&
      options.some(({ name: option }) => entry.lists !== true && entry.lists?.includes(option)));
  return verdict(findings, reads, isListing && scope.cwd !== undefined ? { under: scope.cwd } : {});
};
