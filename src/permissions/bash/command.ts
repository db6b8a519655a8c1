// One simple command becomes a part: its texts for rules, whether it only reads, and what it touches.
import type { Finding, ShellPart } from "./analysis.js";
import type { Assignment } from "./assignments.js";
import { setUnknown } from "./assignments.js";
import { addPart, type Collector, markOpaque } from "./collector.js";
import { fileEffects } from "./file-commands.js";
import { changeFolder } from "./folder.js";
import { innerCommands, visitTexts } from "./inner.js";
import { gitSubcommand } from "./languages/git.js";
import { isPlainVariable, isSafeInFront } from "./names.js";
import { classify, finding, type Verdict, verdict } from "./read-only/classify.js";
import { readers } from "./readers.js";
import type { Feed, Scope } from "./scope.js";
import { isStaticWord, onlyValue, unquoted, valuesOf, type Word } from "./words.js";
import { wrappers } from "./wrapper-table.js";
import { baseName, peel } from "./wrappers.js";

const systemFolders: ReadonlySet<string> = new Set(["/bin", "/usr/bin", "/usr/local/bin"]);
const folderCommands: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);

const textOf = (words: readonly Word[]): string => words.map(({ written }) => written).join(" ");

/** Every text a command can be seen as by deny and ask rules. */
const strictTextsOf = (words: readonly Word[]): string[] => {
  const [head, ...rest] = words;
  if (!head) return [];
  const tails = [textOf(rest), rest.map(unquoted).join(" ")];
  const names = new Set(
    [head.written, unquoted(head), ...(valuesOf(head) ?? [])].flatMap((name) => [name, baseName(name)]),
  );
  const texts = [...names].flatMap((name) => tails.map((tail) => (tail === "" ? name : `${name} ${tail}`)));
  // Without git's global options, so that `git -C x push` is a push.
  const at = baseName(unquoted(head)) === "git" ? gitSubcommand(words) : -1;
  if (at > 1)
    texts.push(
      ...strictTextsOf([
        { ...head, written: "git", alternatives: [[{ kind: "text", text: "git" }]] },
        ...words.slice(at),
      ]),
    );
  return [...new Set(texts.map((text) => text.replace(/[ \t]+/g, " ").trim()))];
};

const unsafeAssignments = (assignments: readonly Assignment[], command: string | undefined): Assignment[] =>
  assignments.filter(({ name, value, isArray, isAppend }) => {
    // `IFS= read` splits one line; the setting ends with it.
    if (name === "IFS" && command === "read" && !isArray) return false;
    const isKnown = value?.alternatives.every((pieces) => pieces.every(({ kind }) => kind === "text")) ?? true;
    return isArray || isAppend || !isSafeInFront(name) || !isKnown;
  });

/** Findings about the name of the command that is run. */
const nameFindings = (name: string | undefined, words: readonly Word[], scope: Scope): Finding[] => {
  if (name === undefined) return [finding("D1", `the command name ${words[0]?.written ?? ""} is not known`)];
  if (/[^\x20-\x7e]/.test(name))
    return [finding("T3", `the command name ${name} holds characters that look like others`)];
  if (scope.shadowed.has(name)) return [finding("D3", `${name} was redefined in this text`)];
  if (!name.includes("/")) return [];
  const folder = name.slice(0, name.lastIndexOf("/"));
  return systemFolders.has(folder) ? [] : [finding("X3", `${name} is a program of its own`)];
};

/** Names that a builtin sets. */
const setVariables = (name: string, words: readonly Word[], collector: Collector, scope: Scope): Finding[] => {
  const findings: Finding[] = [];
  if (name === "read") {
    const names = words
      .slice(1)
      .map(unquoted)
      .filter((word) => !word.startsWith("-"));
    const under = scope.stdin?.under;
    for (const variable of names.length > 0 ? names : ["REPLY"]) {
      const plain = variable.replace(/\[.*$/s, "");
      if (!isPlainVariable(plain, collector.context.env) && names.length > 0)
        findings.push(finding("D3", `read sets ${plain}`));
      setUnknown(
        plain,
        scope,
        under !== undefined && names.length === 1
          ? [[{ kind: "unknown", text: `$${plain}`, isSplit: true, under }]]
          : undefined,
      );
    }
  }
  if (/^(printf|mapfile|readarray|getopts|let|set|shopt|unset|wait)$/.test(name))
    for (const word of words.slice(1)) setUnknown(unquoted(word).replace(/[[=+].*$/s, ""), scope);
  if (name === "alias") for (const word of words.slice(1)) scope.shadowed.add(unquoted(word).split("=")[0] ?? "");
  return findings;
};

/** The text `echo` and simple `printf` print; undefined when it is not certain. */
const printedText = (name: string, words: readonly Word[], scope: Scope): string | undefined => {
  if (name === "cat" && words.length === 1) return scope.stdin?.text;
  const values = words.slice(1).map(onlyValue);
  if (values.includes(undefined) || values.some((value) => value?.startsWith("-") || value?.includes("\\")))
    return undefined;
  if (name === "echo") return `${values.join(" ")}\n`;
  if (name === "printf" && values.length === 1 && !values[0]?.includes("%")) return values[0];
  return name === "printf" && values[0] === "%s" && values.length === 2 ? values[1] : undefined;
};

const isQuery = (words: readonly Word[]): boolean =>
  words.length > 1 && /^-[pvV]*[vV][pvV]*$/.test(onlyValue(words[1] as Word) ?? "");

/** Findings that keep wildcard allow rules from covering the command. */
const ruleLimits = (
  name: string | undefined,
  findings: readonly Finding[],
  words: readonly Word[],
  scope: Scope,
  collector: Collector,
): Finding[] => {
  const limits = findings.filter(({ check }) => check === "D1" || check === "D3" || check === "E3" || check === "T3");
  if (name === undefined) return limits;
  const wrapper = wrappers.get(name);
  const isRunner = wrapper !== undefined && !wrapper.isHarmless && name !== "xargs";
  if (isRunner) limits.push(finding("X1", `${name} runs its operands`));
  if (name === "find" || name === "fd" || name === "fdfind")
    limits.push(...findings.filter(({ check }) => check === "W1" || check === "W2"));
  if (name === "git" && isElsewhere(scope, collector)) limits.push(finding("G3", "git in another folder"));
  if (name === "xargs" && words.length === 1) return limits;
  return limits;
};

const isElsewhere = (scope: Scope, { context }: Collector): boolean => scope.hasMoved && scope.cwd !== context.cwd;

const classified = (name: string, words: readonly Word[], collector: Collector, scope: Scope): Verdict => {
  if (folderCommands.has(name)) {
    const { findings, reads } = changeFolder(words, collector, scope);
    return verdict(findings, reads);
  }
  if (name === "command" && isQuery(words)) return verdict([]);
  if (name === "alias" && words.length > 1) return verdict([finding("D3", "alias redefines a name")]);
  const found = classify(name, words, { scope, context: collector.context }, readers);
  if (name === "git" && isElsewhere(scope, collector))
    found.findings.push(finding("G3", "git in another folder runs that repository's hooks and settings"));
  const text = printedText(name, words, scope);
  return text === undefined ? found : { ...found, output: { text } };
};

/** Adds one command and everything it runs. Returns what it prints. */
export const addCommand = (
  words: readonly Word[],
  assignments: readonly Assignment[],
  collector: Collector,
  scope: Scope,
  isPiped: boolean,
): Feed => {
  if (words.length === 0) return {};
  const peeled = peel(words);
  if (peeled.isCut) markOpaque(collector, "X1", "more wrappers than are followed");
  const forms = [words, ...peeled.forms];
  const { plain } = peeled;
  const isDynamic = forms.some((form) => form[0] !== undefined && valuesOf(form[0]) === undefined);
  if (isDynamic) collector.isOpaque = true;
  const written = plain[0] && onlyValue(plain[0]);
  const name = written === undefined ? undefined : baseName(written);
  const findings = nameFindings(written, plain, scope);
  const set = name === undefined ? [] : setVariables(name, plain, collector, scope);
  const stdinScope = scope;
  const found =
    name === undefined || findings.some(({ check }) => check === "X3")
      ? verdict([])
      : classified(name, plain, collector, stdinScope);
  const unsafe = unsafeAssignments(assignments, written);
  const front = unsafe.map(({ name: variable }) =>
    finding("D4", `${variable} in front of a command can change what it does`),
  );
  const effects = name === undefined ? undefined : fileEffects(name, plain, scope);
  const all = [...findings, ...set, ...found.findings, ...front];
  if (effects && name !== "sed") all.push(finding("W1", `${name} changes files`));
  const prefix = unsafe.map((assignment) => assignment.written).join(" ");
  const part: ShellPart = {
    text: textOf(words),
    allowText: [prefix, textOf(plain)].filter((text) => text !== "").join(" "),
    strictTexts: forms.flatMap(strictTextsOf),
    isStatic: words.every(isStaticWord),
    findings: dedupe(all),
    unruled: [...ruleLimits(name, all, plain, scope, collector), ...front],
    reads: [...found.reads, ...(effects?.reads ?? [])],
    writes: effects?.writes ?? [],
    removals: effects?.removals ?? [],
    isFileCommand: effects?.isUnderstood === true && front.length === 0 && findings.length === 0,
    cwd: scope.cwd,
  };
  addPart(collector, part);
  addRemovals(peeled.forms, part, scope);
  addReads(peeled.forms, part, collector, scope);
  for (const text of peeled.texts) visitInnerText(text, collector, scope);
  for (const form of forms) {
    visitTexts(form, collector, scope, isPiped);
    for (const inner of innerCommands(form, scope))
      addCommand(inner, [], collector, { ...scope, stdin: undefined }, false);
  }
  return found.output;
};

const visitInnerText = (word: Word, collector: Collector, scope: Scope): void => {
  const text = onlyValue(word);
  if (text === undefined) markOpaque(collector, "D2", `${word.written} runs text that is not known`);
  else collector.visitText(text, scope);
};

/** `sudo cat FILE` reads as much as `cat FILE`: Read rules see through every wrapper. */
const addReads = (forms: readonly Word[][], part: ShellPart, collector: Collector, scope: Scope): void => {
  if (part.findings.length === 0) return;
  for (const form of forms) {
    const name = form[0] && onlyValue(form[0]);
    if (name === undefined || folderCommands.has(name)) continue;
    const { reads } = classify(baseName(name), form, { scope, context: collector.context }, readers);
    part.reads.push(...reads.filter(({ path }) => path !== undefined));
  }
};

/** `sudo rm -rf /` removes as much as `rm -rf /`. */
const addRemovals = (forms: readonly Word[][], part: ShellPart, scope: Scope): void => {
  for (const form of forms) {
    const name = form[0] && onlyValue(form[0]);
    const effects = name === undefined ? undefined : fileEffects(baseName(name), form, scope);
    if (effects && part.removals.length === 0) part.removals.push(...effects.removals);
    if (effects && part.writes.length === 0) part.writes.push(...effects.writes);
  }
};

const dedupe = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((found) => [`${found.check} ${found.text}`, found])).values(),
];
