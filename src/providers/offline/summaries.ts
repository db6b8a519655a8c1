// How the offline model reports what a call brought: short, and nothing that the result does not say.
import type { Outcome } from "./program.js";

const maxShownLines = 12;
const maxNames = 20;

/** Text as a fenced block, cut to some lines with a note on the rest. */
const fenced = (lines: readonly string[], maxLines = maxShownLines): string => {
  const shown = lines.slice(0, maxLines);
  const rest = lines.length - shown.length;
  const longest = Math.max(2, ...shown.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0));
  const fence = "`".repeat(longest + 1);
  return [fence, ...shown, fence, ...(rest > 0 ? [`(${count(rest, "more line")})`] : [])].join("\n");
};

export const count = (n: number, thing: string): string =>
  `${n} ${thing}${n === 1 ? "" : /(?:ch|s|x)$/.test(thing) ? "es" : "s"}`;

/** The tool's own message without the tags around it, its first lines only. */
export const toolMessage = (text: string): string =>
  text
    .replace(/<\/?tool_use_error>/g, "")
    .trim()
    .split("\n")
    .slice(0, 3)
    .join(" ");

const numberedLine = /^\s*(\d+)(?:\t|→)(.*)$/;

/** The lines of a Read result, without their numbers. Notices between them are left out. */
export const readLines = (text: string): string[] =>
  text.split("\n").flatMap((line) => numberedLine.exec(line)?.[2] ?? []);

/** The paths a Glob result lists. */
export const listedPaths = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(
      (line) =>
        line !== "" &&
        !/^(?:no files? found|no files? match|\(|\[|found \d+|results? (?:are|is)|showing|note:)/i.test(line),
    );

/** A refusal or failure in words, or undefined when the call succeeded. */
export const troubleWith = ({ isError, isDenied, text }: Outcome, what: string): string | undefined => {
  if (!isError) return undefined;
  return isDenied
    ? `I was not allowed to ${what}, so I left it.`
    : `I could not ${what}: ${toolMessage(text) || "no reason given"}`;
};

export const readSummary = (outcome: Outcome, file: string): string => {
  const trouble = troubleWith(outcome, `read ${file}`);
  if (trouble) return trouble;
  const lines = readLines(outcome.text);
  if (lines.length === 0) return outcome.text ? `${file}: ${toolMessage(outcome.text)}` : `${file} is empty.`;
  const total = Number(/^\(PARTIAL: lines 1-\d+ of (\d+),/m.exec(outcome.text)?.[1] ?? lines.length);
  const size = total > lines.length ? `first ${lines.length} of ${count(total, "line")}` : count(lines.length, "line");
  return `${file}, ${size}:\n${fenced(lines)}`;
};

export const listSummary = (outcome: Outcome, what: string): string => {
  const trouble = troubleWith(outcome, `list ${what}`);
  if (trouble) return trouble;
  const paths = listedPaths(outcome.text);
  if (paths.length === 0) return `There is nothing to list: no ${what}.`;
  return `${count(paths.length, "file")} (${what}):\n${fenced(paths, maxNames)}`;
};

export const searchSummary = (outcome: Outcome, shown: string): string => {
  const trouble = troubleWith(outcome, `search for "${shown}"`);
  if (trouble) return trouble;
  const lines = outcome.text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0 || /^no (?:matches|files?)\b/i.test(outcome.text)) return `"${shown}" does not occur.`;
  return `"${shown}" is found here:\n${fenced(lines)}`;
};

/** The task that a command goes on as in the background; undefined when it does not. */
export const backgroundTask = (text: string): string | undefined =>
  /^The (?:command|person)\b[^\n]*\bbackground\b[^\n]* as task ([\w-]+)/.exec(text)?.[1];

const inBackground = (command: string, task: string): string =>
  `\`${command}\` goes on in the background as ${task}. I am told when it ends; /tasks shows it.`;

const unescaped = (text: string): string => text.replaceAll("<\\/bash-", "</bash-");

/** What the person's own commands in this text came to; undefined when there are none. */
export const typedCommandSummary = (text: string): string | undefined => {
  const command = [...text.matchAll(/<bash-input>([\s\S]*?)<\/bash-input>/g)].at(-1)?.[1];
  if (command === undefined) return undefined;
  const part = (tag: string): string =>
    unescaped([...text.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].at(-1)?.[1] ?? "").trim();
  const [output, failure] = [part("bash-stdout"), part("bash-stderr")];
  const shown = toolMessage(unescaped(command));
  const task = backgroundTask(output);
  if (task) return inBackground(shown, task);
  const lines = output === "" ? "nothing" : count(output.split("\n").length, "line");
  if (failure === "") return `You ran \`${shown}\`. It printed ${lines}.`;
  return `You ran \`${shown}\`. It did not end well (${toolMessage(failure)}) and printed ${lines}.`;
};

export const runSummary = (outcome: Outcome, command: string): string => {
  const task = outcome.isError ? undefined : backgroundTask(outcome.text);
  if (task) return inBackground(command, task);
  const lines = outcome.text.split("\n");
  const exitCode = /^Exit code (\d+)/.exec(lines[0] ?? "")?.[1];
  if (exitCode !== undefined) {
    const output = lines.slice(1).filter((line) => line.trim() !== "");
    return `\`${command}\` ended with exit code ${exitCode}.${output.length > 0 ? `\n${fenced(output)}` : ""}`;
  }
  const trouble = troubleWith(outcome, `run \`${command}\``);
  if (trouble) return trouble;
  const output = lines.filter((line) => line.trim() !== "");
  return output.length > 0 ? `\`${command}\` printed:\n${fenced(output)}` : `\`${command}\` ran and printed nothing.`;
};
