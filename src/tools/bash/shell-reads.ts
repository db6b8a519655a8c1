// A command that shows one file counts as reading it: `cat f`, `head f`, `sed -n 1,20p f`, `grep x f`.
import { FileProblem, readBytes } from "../../platform/fs.js";
import { expandPath } from "../../platform/paths.js";
import type { ShellOutcome } from "../../platform/shell.js";
import { noteRead, recordOf } from "../shared/read-state.js";
import type { ToolContext } from "../tool.js";

const readers = new Set(["cat", "head", "tail", "sed", "grep", "egrep", "fgrep", "rg"]);
const maxBytes = 4 * 1024 * 1024;

/** Notes the file that a simple command showed, so that Edit does not ask for a Read. Never throws. */
export const noteShellReads = async (command: string, outcome: ShellOutcome, context: ToolContext): Promise<void> => {
  const shown = shownFile(command);
  if (!shown || outcome.exitCode !== 0) return;
  try {
    const { bytes, path, mtimeMs } = await readBytes(expandPath(shown.path, context.cwd, context.home), maxBytes);
    const isWhole = shown.isWhole && outcome.totalBytes === bytes.length;
    const known = await recordOf(context.fileState, path);
    if (known?.extent === "whole" && !isWhole) return; // it knows more already
    noteRead(context.fileState, path, {
      bytes,
      mtimeMs,
      extent: isWhole ? "whole" : "part",
      movedCells: isWhole ? undefined : known?.movedCells,
    });
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error; // no plain file: nothing was read
  }
};

/** One word: quoted without expansions, or made of letters that mean nothing to the shell. */
const word = /(?:'([^']*)'|"([^"$`\\]*)"|([\w./@%+=:,^-]+))(?:[ \t]+|$)/y;

const wordsOf = (command: string): string[] | undefined => {
  const line = command.trim();
  const words: string[] = [];
  for (word.lastIndex = 0; word.lastIndex < line.length; ) {
    const match = word.exec(line);
    if (!match) return undefined; // anything else could mean anything
    words.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return words;
};

/** The file a command shows, when it is plain enough to be sure. */
export const shownFile = (command: string): { path: string; isWhole: boolean } | undefined => {
  const [name, ...rest] = wordsOf(command) ?? [];
  if (!name || !readers.has(name)) return undefined;
  if (name === "sed" && !rest.includes("-n")) return undefined;
  const operands = rest.filter((text) => !text.startsWith("-"));
  if (name === "head" || name === "tail") return only(operands.filter((text) => !/^\d+$/.test(text)));
  if (name === "cat") return only(operands, rest.length === 1);
  return only(operands.slice(1)); // a script or a pattern comes first
};

const only = (files: readonly string[], isWhole = false) =>
  files.length === 1 ? { path: files[0]!, isWhole } : undefined;
