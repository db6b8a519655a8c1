// From Grep's input to ripgrep's arguments, and from ripgrep's failures to sentences.
import type { ProcessOutcome } from "../../platform/process.js";
import type { GrepInput } from "./input.js";

const maxColumns = 500; // our choice: a minified file must not fill the context

/** Arguments of ripgrep. What the model wrote goes behind `-e`, `--glob=` or `--`: it can never become an option. */
export const grepArguments = (input: GrepInput, target: string): string[] => {
  const mode = input.output_mode ?? "files_with_matches";
  const around = input["-C"] ?? input.context;
  const count = (option: string, value: number | undefined) => (value === undefined ? [] : [`${option}=${value}`]);
  return [
    "--color=never",
    "--no-heading",
    "--with-filename",
    "--null", // ends each path, so that no name can be misread
    "--hidden",
    ...["!.git", "!.svn", "!.hg", "!.jj"].map((pattern) => `--glob=${pattern}`),
    ...(mode === "files_with_matches" ? ["--files-with-matches"] : []),
    ...(mode === "count" ? ["--count-matches"] : []),
    ...(mode === "content"
      ? [
          input["-n"] === false ? "--no-line-number" : "--line-number",
          `--max-columns=${maxColumns}`,
          "--max-columns-preview",
          ...(input["-o"] ? ["--only-matching"] : []),
          ...(around === undefined ? [] : [`--context=${around}`]),
          ...count("--after-context", input["-A"]),
          ...count("--before-context", input["-B"]),
        ]
      : []),
    ...(input["-i"] ? ["--ignore-case"] : []),
    ...(input.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(input.type ? [`--type=${input.type}`] : []),
    ...globsOf(input.glob).map((pattern) => `--glob=${pattern}`),
    "-e",
    input.pattern,
    "--",
    target,
  ];
};

/** Several globs may come in one string, separated by blanks; commas inside braces belong to the pattern. */
const globsOf = (glob: string | undefined): string[] => (glob ?? "").split(/\s+/).filter(Boolean);

/** The failure as text for the model; undefined when the search went well enough to show what it found. */
export const explainFailure = (outcome: ProcessOutcome, input: GrepInput): string | undefined => {
  if (outcome.aborted) return "The search was interrupted.";
  if (outcome.error?.code === "ENOENT") {
    return "ripgrep is not installed with this program and no rg is in PATH. Search with grep -rn in Bash instead.";
  }
  if (outcome.error) return `The search could not start: ${outcome.error.message}`;
  if (outcome.exitCode === 0 || outcome.exitCode === 1) return undefined;
  if (outcome.stdout !== "" || outcome.truncated) return undefined; // some files could not be read, others matched
  if (outcome.timedOut)
    return "The search took longer than 20 seconds and was stopped. Narrow it with path, glob or type.";
  const reason = outcome.stderr.trim().replace(/^rg: /gm, "");
  if (/regex parse error/.test(reason)) {
    return `The pattern ${JSON.stringify(input.pattern)} is not a valid regular expression:\n${reason}\nEscape characters that are meant literally with a backslash.`;
  }
  if (/unrecognized file type/.test(reason))
    return `ripgrep knows no file type ${JSON.stringify(input.type)}; use glob instead, e.g. "*.ext".`;
  return `The search failed: ${reason || `ripgrep ended with code ${outcome.exitCode}`}`;
};
