// The screen: mounts the components at once, loads the engine beside them, and sees to a clean end.
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { mountApp } from "../../components/mount.js";
import { configDir } from "../platform/paths.js";
import type { Engine } from "../protocol/engine.js";
import type { ParsedArgs } from "./args.js";
import { editText, openFile } from "./external-editor.js";
import { checkpoint } from "./profile.js";
import { version } from "./version.js";

/** What the first frame needs of the user's settings; the engine reads them properly a moment later. */
const firstSettings = (): { theme?: string; prefersReducedMotion?: boolean } => {
  try {
    return JSON.parse(readFileSync(join(configDir(process.env), "settings.json"), "utf8"));
  } catch {
    return {}; // missing, or with comments: the defaults do for a first frame
  }
};

const loadEngine = async (args: ParsedArgs): Promise<Engine & { hasTranscript(): boolean }> => {
  const { bootEngine } = await import("./boot.js");
  return bootEngine(args, {
    isInteractive: true,
    mayStartTour: args.prompt === undefined,
    includeStream: false,
    entrypoint: "cli",
  });
};

const exitCodeOf = (signal: NodeJS.Signals): number => 128 + (constants.signals[signal] ?? 0);

const bugText = (error: unknown): string =>
  `Internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;

/** Runs on the terminal and ends the process with the right exit code. */
export const runInteractive = async (args: ParsedArgs): Promise<void> => {
  checkpoint("components loaded");
  // Listeners that stay: Ink's exit hook lets the signal kill us as soon as it finds itself the only one left.
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => undefined);
  const engine = loadEngine(args);
  engine.catch(() => undefined); // the screen shows it; until it listens, it must not count as unhandled
  const closeEngine = async (): Promise<void> => {
    await engine.then(
      (loaded) => loaded.close(),
      () => undefined, // it never came up: nothing to close
    );
  };
  const { theme, prefersReducedMotion } = firstSettings();
  const app = mountApp({
    engine,
    stdin: process.stdin,
    stdout: process.stdout,
    env: process.env,
    version,
    cwd: process.cwd(),
    // Without a value --resume lets the person choose, before anything else is said.
    initialPrompt: args.resume === true ? "/resume" : args.prompt,
    settings: { theme, reducedMotion: prefersReducedMotion },
    editText: (text) => editText(text, process.env),
    openFile: (path) => openFile(path, process.env),
    onSignal: (signal) => {
      void closeEngine().finally(() => process.exit(exitCodeOf(signal)));
    },
    onCrash: (error) => {
      process.stderr.write(bugText(error));
      void closeEngine().finally(() => process.exit(1));
    },
  });
  checkpoint("mounted");
  const code = await app.waitUntilExit();
  const loaded = await engine.catch(() => undefined);
  await closeEngine();
  if (loaded?.hasTranscript())
    process.stdout.write(`Go on with this session: claude --resume ${loaded.session().sessionId}\n`);
  process.exit(code);
};
