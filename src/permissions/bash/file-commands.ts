// Commands that change files: which paths they read, write and remove, and which of them acceptEdits runs.
import { statSync } from "node:fs";
import type { Operand } from "./analysis.js";
import { readSedCall } from "./languages/sed.js";
import { operandsOf } from "./operand.js";
import { type OptionGrammar, type Scanned, scanOptions } from "./options.js";
import type { Scope } from "./scope.js";
import { literalStarts, maySplit, valuesOf, type Word } from "./words.js";

export interface FileEffects {
  reads: Operand[];
  writes: Operand[];
  removals: Operand[];
  /** Every option and operand is understood, so that acceptEdits may run it. */
  isUnderstood: boolean;
}

interface FileCommand extends OptionGrammar {
  /** Options that change nothing about which files are touched. */
  plain: RegExp;
  /** Sources first, then the place they go to. */
  hasTarget?: boolean;
  removesSources?: boolean;
  removes?: boolean;
  /** Not run by acceptEdits; its paths are still compared with rules. */
  isOther?: boolean;
  /** Operands in front of the files. */
  skip?: number;
}

const split = (text: string): string[] => text.split(" ");

const commands: ReadonlyMap<string, FileCommand> = new Map(
  Object.entries({
    mkdir: { valued: "mZ", longValued: ["mode"], plain: /^(-[pvm]|--parents|--verbose|--mode)$/ },
    touch: {
      valued: "dtr",
      longValued: split("date reference time"),
      plain: /^(-[acmdht]|--no-create|--date|--time|--no-dereference)$/,
    },
    rm: {
      plain: /^(-[rRfidvI]|--recursive|--force|--verbose|--dir|--interactive|--preserve-root|--one-file-system)$/,
      removes: true,
    },
    rmdir: { plain: /^(-[pv]|--parents|--verbose|--ignore-fail-on-non-empty)$/, removes: true },
    mv: {
      valued: "tS",
      longValued: ["target-directory", "suffix"],
      plain:
        /^(-[finuvTtb]|--force|--interactive|--no-clobber|--update|--verbose|--no-target-directory|--target-directory)$/,
      hasTarget: true,
      removesSources: true,
    },
    cp: {
      valued: "tS",
      longValued: ["target-directory", "suffix"],
      plain:
        /^(-[aRrfinpuvTtPdx]|--archive|--recursive|--force|--interactive|--no-clobber|--update|--verbose|--no-target-directory|--target-directory|--preserve|--no-dereference)$/,
      hasTarget: true,
    },
    tee: { plain: /^-/, isOther: true },
    ln: { valued: "tS", longValued: ["target-directory", "suffix"], plain: /^-/, hasTarget: true, isOther: true },
    install: {
      valued: "mogtS",
      longValued: split("mode owner group target-directory suffix"),
      plain: /^-/,
      hasTarget: true,
      isOther: true,
    },
    truncate: { valued: "sr", longValued: split("size reference"), plain: /^-/, isOther: true },
    chmod: { plain: /^-/, isOther: true, skip: 1 },
    chown: { plain: /^-/, isOther: true, skip: 1 },
    unlink: { plain: /^-/, isOther: true },
    shred: { valued: "ns", plain: /^-/, isOther: true },
  }),
);

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // it does not exist yet: the name is the file itself
  }
};

/** Where sources land below a target folder: the names themselves matter, `.git` below a folder is still `.git`. */
const landings = (sources: readonly Word[], target: Operand): Operand[] => {
  if (target.path === undefined) return [];
  return sources.flatMap((source): Operand[] => {
    const names = valuesOf(source);
    if (!names) return [];
    return names.map((name) => ({
      text: `${target.text}/${lastPart(name)}`,
      path: `${target.path}/${lastPart(name)}`,
    }));
  });
};

const lastPart = (path: string): string => path.replace(/\/+$/, "").split("/").at(-1) ?? path;

const withTarget = (scanned: Scanned, command: FileCommand, scope: Scope): Omit<FileEffects, "isUnderstood"> => {
  const option = scanned.options.find(({ name }) => name === "-t" || name === "--target-directory")?.value;
  const sources = option ? scanned.operands : scanned.operands.slice(0, -1);
  const last = option ?? scanned.operands.at(-1);
  const targets = last ? operandsOf(last, scope) : [];
  const isInto = option !== undefined || sources.length > 1;
  const into = targets.filter(({ path }) => isInto || (path !== undefined && (path.endsWith("/") || isFolder(path))));
  const from = sources.flatMap((word) => operandsOf(word, scope, { isRecursive: true }));
  return {
    reads: command.removesSources ? [] : from,
    writes: [
      ...targets,
      ...into.flatMap((target) => landings(sources, target)),
      ...(command.removesSources ? from : []),
    ],
    removals: [],
  };
};

/** Words that may become more words or options keep a command from being understood. */
const isVague = (word: Word): boolean =>
  literalStarts(word).some((start) => start.startsWith("-")) ||
  word.alternatives.some((pieces) => pieces.some(({ kind }) => kind === "unknown")) ||
  (maySplit(word) &&
    literalStarts(word).some((start) => start === "") &&
    !word.alternatives.every(([first]) => first?.kind === "glob"));

const sedEffects = (words: readonly Word[], scope: Scope): FileEffects | undefined => {
  const { isInPlace, findings, files } = readSedCall(words);
  if (!isInPlace) return undefined;
  const writes = files.flatMap((word) => operandsOf(word, scope));
  return {
    reads: [],
    writes,
    removals: [],
    isUnderstood: findings.length === 0 && files.length > 0 && !files.some(isVague),
  };
};

/** What a file command would touch; undefined when the name is no file command. */
export const fileEffects = (name: string, words: readonly Word[], scope: Scope): FileEffects | undefined => {
  if (name === "sed") return sedEffects(words, scope);
  const command = commands.get(name);
  if (!command) return undefined;
  const scanned = scanOptions(words.slice(1), command);
  const operands = scanned.operands.slice(command.skip ?? 0);
  const isKnown = scanned.options.every(({ name: option }) => command.plain.test(option));
  const isUnderstood =
    !command.isOther && isKnown && operands.length > 0 && !operands.some(isVague) && scope.cwd !== undefined;
  if (command.hasTarget) return { ...withTarget(scanned, command, scope), isUnderstood };
  const paths = operands.flatMap((word) => operandsOf(word, scope, command.removes ? { isRecursive: true } : {}));
  const references = scanned.options.flatMap(({ name: option, value }) =>
    value && /^(-r|--reference)$/.test(option) && name !== "rm" ? operandsOf(value, scope, { isMetadata: true }) : [],
  );
  return { reads: references, writes: paths, removals: command.removes ? paths : [], isUnderstood };
};
