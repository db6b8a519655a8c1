// `-p`: one prompt from arguments and stdin, the answer on stdout, an exit code.
import { sanitise } from "../lib/sanitise.js";
import type { ParsedArgs } from "./args.js";
import { bootEngine, FlagProblem } from "./boot.js";
import { runPrint } from "./print.js";
import { checkpoint } from "./profile.js";
import { joinPrompt, readPipedStdin } from "./stdin.js";

const warn = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Exit codes of signals: 128 + number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** How long commands in the background may go on after the answer. */
const backgroundGraceMs = 5_000;

const promptFrom = async (args: ParsedArgs): Promise<string | undefined> => {
  const piped = await readPipedStdin({ stdin: process.stdin, hasPrompt: args.prompt !== undefined, warn });
  if (piped.kind === "error") throw new FlagProblem(piped.message);
  const prompt = joinPrompt(args.prompt, piped.text);
  if (prompt !== undefined) return prompt;
  throw new FlagProblem(
    args.isPrint
      ? "Nothing to do: give a prompt as an argument or on standard input."
      : 'The screen needs a terminal on standard input and output. To run without one, give a prompt: claude -p "…"',
  );
};

/** `--rewind-files`: no prompt, no model. Gives the exit code. */
const rewindOnly = async (args: ParsedArgs, id: string): Promise<number> => {
  const { runRewindFiles } = await import("./rewind-files.js");
  const engine = await bootEngine(args, {
    isInteractive: false,
    mayStartTour: false,
    includeStream: false,
    entrypoint: process.env.CLAUDE_CODE_ENTRYPOINT ?? "sdk-cli",
  });
  const write = (text: string): void => void process.stdout.write(text);
  const code = await runRewindFiles({ engine, id, isJson: args.outputFormat !== "text", write, warn });
  await engine.close();
  return code;
};

/** Runs headless and ends the process. */
export const runHeadless = async (args: ParsedArgs): Promise<void> => {
  try {
    if (args.rewindFiles !== undefined) {
      const code = await rewindOnly(args, args.rewindFiles);
      await new Promise((resolve) => process.stdout.write("", resolve)); // a pipe takes its time
      process.exit(code);
    }
    const prompt = await promptFrom(args);
    const engine = await bootEngine(args, {
      isInteractive: false,
      mayStartTour: false,
      includeStream: args.includePartialMessages,
      entrypoint: process.env.CLAUDE_CODE_ENTRYPOINT ?? "sdk-cli",
    });
    let signalCode: number | undefined;
    for (const [signal, code] of Object.entries(signalCodes))
      process.once(signal, () => {
        signalCode = code;
        engine.interrupt("all");
      });
    checkpoint("headless run");
    const code = await runPrint({
      engine,
      prompt: prompt ?? "",
      format: args.outputFormat,
      includePartial: args.includePartialMessages,
      forwardSubagentText: args.forwardSubagentText,
      includeHookEvents: args.includeHookEvents,
      verbose: args.isVerbose,
      stdout: process.stdout,
      warn,
      totals: () => ({ costUsd: engine.costs.knownUsd(), modelUsage: engine.costs.modelUsage() }),
    });
    // After a signal nothing is waited for: it has stopped what ran in the background.
    if (signalCode === undefined)
      for (const line of await engine.settle(backgroundGraceMs)) warn(sanitise(line, { tabSize: 0 }));
    await engine.close();
    process.exit(signalCode ?? code);
  } catch (error) {
    warn(error instanceof Error && isForPerson(error) ? error.message : bugText(error));
    process.exit(1);
  }
};

const isForPerson = ({ name }: Error): boolean => ["FlagProblem", "StartProblem", "SessionProblem"].includes(name);

const bugText = (error: unknown): string =>
  `Internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
