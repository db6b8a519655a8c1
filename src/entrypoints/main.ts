// Arguments to mode: help, headless, or the screen.
import { parseArgs } from "./args.js";
import { checkpoint } from "./profile.js";
import { findSubcommand, runSubcommand } from "./subcommands.js";

const goneText = "The folder you are in does not exist any more: change to another one and start again.";

/** False in a folder that was deleted: nothing of a session works there. */
const hasFolder = (): boolean => {
  try {
    process.cwd();
    return true;
  } catch {
    return false; // ENOENT: told by the caller
  }
};

/** Runs the program with the arguments behind its name. Ends the process with the right exit code. */
export const main = async (argv: readonly string[]): Promise<void> => {
  checkpoint("main");
  if (!hasFolder() && !argv.some((word) => ["--help", "-h", "--version", "-v", "-V"].includes(word))) {
    process.stderr.write(`${goneText}\n`);
    process.exitCode = 1;
    return;
  }
  const subcommand = findSubcommand(argv);
  if (subcommand) return runSubcommand(subcommand, argv);
  const args = parseArgs(argv);
  switch (args.kind) {
    case "error":
      process.stderr.write(`${args.message}\n`);
      process.exitCode = args.exitCode;
      return;
    case "help": {
      const { helpText } = await import("./help-text.js");
      process.stdout.write(`${helpText()}\n`);
      return;
    }
    case "version": {
      const { versionLine } = await import("./version.js");
      process.stdout.write(`${versionLine}\n`);
      return;
    }
    case "run": {
      const hasTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
      if (args.isPrint || !hasTerminal) {
        const { runHeadless } = await import("./headless.js");
        return runHeadless(args);
      }
      const { runInteractive } = await import("./interactive.js");
      return runInteractive(args);
    }
  }
};
