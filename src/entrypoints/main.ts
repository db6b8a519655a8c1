// Arguments to mode: help, headless, or the screen.
import { parseArgs } from "./args.js";
import { checkpoint } from "./profile.js";
import { findSubcommand, runSubcommand } from "./subcommands.js";

/** Runs the program with the arguments behind its name. Ends the process with the right exit code. */
export const main = async (argv: readonly string[]): Promise<void> => {
  checkpoint("main");
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
