// Commands and texts that a command runs: find -exec, xargs, sh -c, eval, trap and their kind.
import { type Collector, markOpaque } from "./collector.js";
import { xargsCommand } from "./languages/xargs.js";
import type { Scope } from "./scope.js";
import { onlyValue, type Word } from "./words.js";
import { baseName, joined, shellStart } from "./wrappers.js";

const nameOf = (words: readonly Word[]): string => baseName((words[0] && onlyValue(words[0])) ?? "");

/** Commands between `-exec` and its end, with `{}` as an unknown file. */
const execCommands = (words: readonly Word[], starts: RegExp): Word[][] => {
  const found: Word[][] = [];
  for (let index = 1; index < words.length; index++) {
    if (!starts.test(onlyValue(words[index] as Word) ?? "")) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((word) => onlyValue(word) === ";" || onlyValue(word) === "+");
    const inner = rest.slice(0, end === -1 ? undefined : end);
    found.push(
      inner.map((word) =>
        (onlyValue(word) ?? "").includes("{}")
          ? { written: word.written, alternatives: [[{ kind: "unknown", text: "{}", isSplit: false }]] }
          : word,
      ),
    );
  }
  return found.filter((inner) => inner.length > 0);
};

/** Commands that this one runs as further commands. */
export const innerCommands = (words: readonly Word[], scope: Scope): Word[][] => {
  const name = nameOf(words);
  if (name === "find") return execCommands(words, /^-(exec|execdir|ok|okdir)$/);
  if (name === "fd" || name === "fdfind") return execCommands(words, /^(-x|-X|--exec|--exec-batch)$/);
  if (name === "xargs") {
    const inner = xargsCommand(words, scope.stdin);
    return inner ? [inner] : [];
  }
  return [];
};

const visitWord = (word: Word, collector: Collector, scope: Scope): void => {
  const text = onlyValue(word);
  if (text === undefined) markOpaque(collector, "D2", `${word.written} runs text that is not known`);
  else collector.visitText(text, scope);
};

/** Text operands of commands that run them. */
const textOperands = (words: readonly Word[]): Word[] => {
  const rest = words.slice(1).filter((word) => onlyValue(word) !== "--");
  switch (nameOf(words)) {
    case "eval":
      return rest.length > 0 ? [joined(rest)] : [];
    case "trap":
      return rest.length > 1 && !/^-[lp]$/.test(onlyValue(rest[0] as Word) ?? "") ? rest.slice(0, 1) : [];
    case "ssh": {
      const at = rest.findIndex((word) => !(onlyValue(word) ?? "-").startsWith("-"));
      return at !== -1 && rest.length > at + 1 ? [joined(rest.slice(at + 1))] : [];
    }
    case "mapfile":
    case "readarray":
    case "complete":
    case "compgen": {
      const at = rest.findIndex((word) => /^-[CW]$/.test(onlyValue(word) ?? ""));
      return at !== -1 && rest[at + 1] ? [rest[at + 1] as Word] : [];
    }
    default:
      return [];
  }
};

/** Follows text that the command (in one of its forms) runs as code. */
export const visitTexts = (words: readonly Word[], collector: Collector, scope: Scope, isPiped: boolean): void => {
  for (const word of textOperands(words)) visitWord(word, collector, scope);
  const start = shellStart(words);
  const name = nameOf(words);
  const isScript = start?.hasScript || name === "source" || name === ".";
  if (isScript && words.some((word) => word.alternatives.flat().some((piece) => piece.kind === "unknown")))
    markOpaque(collector, "D2", `${name} runs a script that is not known`);
  if (!start) return;
  if (start.text) visitWord(start.text, collector, scope);
  else if (!start.hasScript && scope.stdin) {
    if (scope.stdin.text !== undefined) collector.visitText(scope.stdin.text, scope);
    else if (isPiped) markOpaque(collector, "D2", "text that is not known is fed to a shell");
  }
};
