// What the model reads of a command's outcome.
import { stripVTControlCharacters } from "node:util";
import { formatBytes } from "../../platform/fs.js";
import type { Env } from "../../platform/paths.js";
import type { ShellOutcome } from "../../platform/shell.js";
import { storedPreview } from "../shared/preview.js";

const defaultMaxChars = 30_000;
const highestMaxChars = 150_000;

export interface ResultText {
  content: string;
  /** Output as it goes into the structured result. */
  stdout: string;
  /** The output is too long or not text: the file keeps it. */
  isStored: boolean;
}

interface TextOptions {
  notes: readonly string[];
  outputPath: string;
  /** What exit code 1 means, when it is no failure. */
  meaning: string | undefined;
  isError: boolean;
  env: Env;
}

/** Output without blank lines around it. */
export const trimOutput = (output: string): string => output.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();

/** Builds the text: how it ended if not well, the output (or a preview of it), notes. */
export const resultText = (outcome: ShellOutcome, options: TextOptions): ResultText => {
  const { body, isStored } = bodyOf(outcome, options);
  const parts = [
    endingOf(outcome, options),
    body,
    ...(options.meaning ? [`(${options.meaning})`] : []),
    ...options.notes,
  ];
  const content = parts.filter(Boolean).join("\n");
  return { content: content || "(The command printed nothing.)", stdout: body, isStored };
};

const endingOf = (outcome: ShellOutcome, { isError }: TextOptions): string => {
  const seconds = Math.round(outcome.durationMs / 100) / 10;
  if (outcome.interrupted) return "The command was interrupted by the person before it finished. What it had printed:";
  if (outcome.timedOut) return `The command was stopped: it did not finish within ${seconds} s. What it had printed:`;
  if (outcome.exitCode === null) return "The command's shell was ended by a signal.";
  return isError ? `Exit code ${outcome.exitCode}` : "";
};

const bodyOf = (outcome: ShellOutcome, { outputPath, env }: TextOptions): { body: string; isStored: boolean } => {
  const text = trimOutput(stripVTControlCharacters(outcome.output)); // colours say nothing to the model
  if (isBinaryOutput(outcome.output)) {
    return { body: binaryText(outcome, outputPath), isStored: true };
  }
  const wanted = Number(env.BASH_MAX_OUTPUT_LENGTH);
  const maxChars = wanted > 0 ? Math.min(wanted, highestMaxChars) : defaultMaxChars;
  if (text.length <= maxChars && outcome.totalBytes <= maxChars * 4) return { body: text, isStored: false };
  return {
    body: storedPreview(text, { path: outputPath, bytes: outcome.totalBytes, storedBytes: outcome.storedBytes }),
    isStored: true,
  };
};

const binaryText = ({ totalBytes, storedBytes }: ShellOutcome, path: string): string => {
  const kept =
    storedBytes < totalBytes
      ? `its first ${formatBytes(storedBytes)} are kept in ${path}, the rest was not stored`
      : `kept in ${path}`;
  return `(The output is binary, ${formatBytes(totalBytes)}: it is not shown but ${kept})`;
};

const sampleChars = 8000;

const isBinaryOutput = (output: string): boolean => {
  const sample = output.slice(0, sampleChars);
  const strange = sample.match(/[\u0000\uFFFD]/g)?.length ?? 0;
  return sample.includes("\0") ? strange > sample.length / 100 : strange > sample.length / 5;
};
