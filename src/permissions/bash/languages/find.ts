// find, fd and rg: searches that can also write, delete and run programs.
import type { Finding, Operand } from "../analysis.js";
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { cwdOperand, finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import { isStaticWord, mayBeOption, maySplit, onlyValue, type Word } from "../words.js";

const split = (text: string): string[] => text.split(" ");

/** Tests and operators without a value, and the values each of the others takes. */
const plainPrimaries = new Set(
  split(
    "-print -print0 -ls -prune -quit -depth -d -xdev -mount -follow -empty -readable -writable -executable -nouser -nogroup -true -false -not -a -and -o -or -daystart -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race ! ( ) ,",
  ),
);
const valuedPrimaries = new Set(
  split(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -perm -user -group -uid -gid -mtime -atime -ctime -mmin -amin -cmin -used -links -inum -maxdepth -mindepth -fstype -printf -regextype -context -D -O",
  ),
);
/** Tests whose value is a file that is looked at. */
const fileTests = /^-(newer([aBcm][aBcmt])?|anewer|cnewer|samefile)$/;
const runs = /^-(exec|execdir|ok|okdir)$/;
const writes = /^-(fprint|fprint0|fprintf|fls|delete)$/;

const primaryFinding = (text: string): Finding => {
  if (runs.test(text)) return finding("W2", `find ${text} runs a command`);
  if (writes.test(text)) return finding("W1", `find ${text} writes or deletes`);
  return finding("W1", `find ${text} is not known to be harmless`);
};

export const readFind: Reader = (words, command) => {
  const findings: Finding[] = [...secretFindings(words)];
  const reads: Operand[] = [];
  let isListing = true;
  let index = 1;
  while (["-H", "-L", "-P"].includes(onlyValue(words[index] ?? (words[0] as Word)) ?? "")) index++;
  const roots = words.slice(index, firstPrimary(words, index));
  for (const root of roots) {
    const isUnsure =
      !isStaticWord(root) && (mayBeOption(root) || root.alternatives.some((pieces) => pieces[0]?.kind !== "text"));
    if (isUnsure) findings.push(finding("W1", `${root.written} could turn into a primary of find`));
    reads.push(...operandsOf(root, command.scope, { isMetadata: true }));
  }
  if (roots.length === 0) reads.push(...cwdOperand(command.scope, { isMetadata: true }));
  for (index += roots.length; index < words.length; index++) {
    const word = words[index] as Word;
    const text = onlyValue(word);
    if (text === undefined) findings.push(finding("W1", `${word.written} could turn into a primary of find`));
    else if (plainPrimaries.has(text)) isListing &&= text !== "-ls";
    else if (valuedPrimaries.has(text) || fileTests.test(text)) {
      const value = words[++index];
      if (value && maySplit(value)) findings.push(finding("W1", `${value.written} could turn into a primary of find`));
      if (value && fileTests.test(text) && !text.endsWith("t"))
        reads.push(...operandsOf(value, command.scope, { isMetadata: true }));
      isListing &&= text !== "-printf";
    } else {
      findings.push(primaryFinding(text));
      break;
    }
  }
  const { cwd } = command.scope;
  return verdict(findings, reads, isListing && cwd !== undefined ? { under: cwd } : {});
};

/** Roots end at the first word that begins an expression. */
const firstPrimary = (words: readonly Word[], from: number): number => {
  for (let index = from; index < words.length; index++) {
    const text = onlyValue(words[index] as Word);
    if (text !== undefined && (/^[-(!,]/.test(text) || text === ")")) return index;
  }
  return words.length;
};

const fdGrammar = {
  valued: "dteESocjxX",
  longValued: split(
    "max-depth min-depth exact-depth exclude type extension size changed-within changed-before color threads base-directory search-path ignore-file max-results owner path-separator max-buffer-time and newer older exec exec-batch format batch-size",
  ),
  longPlain: split(
    "hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 prune quiet show-errors one-file-system strip-cwd-prefix has-results no-ignore-parent",
  ),
};

export const readFd: Reader = (words, { scope }) => {
  const scanned = scanOptions(words.slice(1), fdGrammar);
  const findings = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (/^(-x|-X|--exec|--exec-batch|-l|--list-details)$/.test(name))
      findings.push(finding("W2", `fd ${written} runs a command`));
    else if (name.startsWith("--") && ![...fdGrammar.longValued, ...fdGrammar.longPlain].includes(name.slice(2)))
      findings.push(finding("W1", `fd ${written} is not known`));
  if (scanned.unsure.length > 0)
    findings.push(finding("W2", `${scanned.unsure[0]?.written} could turn into an option of fd`));
  const values = scanned.options.flatMap(({ name, value }) =>
    value && /^--(base-directory|search-path|ignore-file)$/.test(name) ? operandsOf(value, scope) : [],
  );
  const roots = scanned.operands.slice(1).flatMap((word) => operandsOf(word, scope, { isMetadata: true }));
  const reads = roots.length + values.length > 0 ? [...roots, ...values] : cwdOperand(scope, { isMetadata: true });
  return verdict(findings, reads, scope.cwd === undefined ? {} : { under: scope.cwd });
};

const rgGrammar = {
  valued: "efgtTABCmMjrdE",
  longValued: split(
    "regexp file glob iglob type type-not type-add type-clear after-context before-context context max-count max-columns threads replace max-depth encoding ignore-file sort sortr color colors max-filesize pre pre-glob hostname-bin hyperlink-format engine dfa-size-limit regex-size-limit field-context-separator field-match-separator context-separator path-separator generate",
  ),
  longPlain: split(
    "line-number no-line-number count count-matches files files-with-matches files-without-match hidden no-ignore no-ignore-vcs no-ignore-parent ignore-case smart-case case-sensitive word-regexp line-regexp fixed-strings invert-match only-matching multiline multiline-dotall pcre2 heading no-heading with-filename no-filename column vimgrep json stats trim null null-data passthru pretty quiet follow text binary unrestricted no-messages one-file-system type-list block-buffered line-buffered debug no-config crlf auto-hybrid-regex include-zero max-columns-preview no-require-git version help byte-offset",
  ),
};
const rgRuns = /^(--pre|--pre-glob|--hostname-bin|-z|--search-zip)$/;

export const readRg: Reader = (words, { scope, context }) => {
  const scanned = scanOptions(words.slice(1), rgGrammar);
  const findings = [...secretFindings(words)];
  if (context.env.RIPGREP_CONFIG_PATH) findings.push(finding("W2", "RIPGREP_CONFIG_PATH adds options to rg"));
  for (const { name, written } of scanned.options)
    if (rgRuns.test(name)) findings.push(finding("W2", `rg ${written} runs a program`));
    else if (name.startsWith("--") && ![...rgGrammar.longValued, ...rgGrammar.longPlain].includes(name.slice(2)))
      findings.push(finding("W1", `rg ${written} is not known`));
  if (scanned.unsure.length > 0)
    findings.push(finding("W2", `${scanned.unsure[0]?.written} could turn into an option of rg`));
  const values = scanned.options.flatMap(({ name, value }) =>
    value && /^(-f|--file|--ignore-file)$/.test(name) ? operandsOf(value, scope) : [],
  );
  const isGiven = scanned.options.some(({ name }) => /^(-e|-f|--regexp|--file|--files|--type-list)$/.test(name));
  const paths = isGiven ? scanned.operands : scanned.operands.slice(1);
  const reads =
    paths.length > 0
      ? paths.flatMap((word) => operandsOf(word, scope, { isRecursive: true }))
      : cwdOperand(scope, { isRecursive: true });
  const isListing = scanned.options.some(({ name }) =>
    /^(-l|--files|--files-with-matches|--files-without-match)$/.test(name),
  );
  const isClear = !scanned.options.some(({ name }) =>
    /^(-r|--replace|-o|--only-matching|--json|--path-separator)$/.test(name),
  );
  return verdict(
    findings,
    [...reads, ...values],
    isListing && isClear && scope.cwd !== undefined ? { under: scope.cwd } : {},
  );
};
