// The screen: mounts the components at once, loads the engine beside them, and sees to a clean end.
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { MountedApp } from "../../components/mount-options.js";
import type { AppStore } from "../../state/store.js";
import { copyText } from "../platform/copy-text.js";
import { openUrl } from "../platform/open-url.js";
import { configDir } from "../platform/paths.js";
import type { Engine } from "../protocol/engine.js";
import type { SessionInfo } from "../protocol/events.js";
import type { ParsedArgs } from "./args.js";
import { editText, openFile } from "./external-editor.js";
import { keybindingsFile } from "./keybindings-file.js";
import { checkpoint } from "./profile.js";
import { chooseScreen } from "./screen-choice.js";
import { listThemes, watchThemes } from "./theme-files.js";
import { version } from "./version.js";

/** What the first frame needs of the user's settings; the engine reads them properly a moment later. */
interface FirstSettings {
  theme?: string;
  prefersReducedMotion?: boolean;
  syntaxHighlightingDisabled?: boolean;
  tui?: string;
  editorMode?: string;
  axScreenReader?: boolean;
}

const firstSettings = (): FirstSettings => {
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

/** What the program around the engine does when the terminal goes away. */
interface Endings {
  onSignal: (signal: NodeJS.Signals) => void;
  onCrash: (error: unknown) => void;
}

/** Shows the first frame, then calls `onShown`. */
type Mount = (engine: Promise<Engine>, onShown: () => void, endings: Endings) => MountedApp<AppStore>;

const linearMount = async (args: ParsedArgs): Promise<Mount> => {
  const { mountLinear } = await import("../../components/linear/linear.js");
  return (engine, onShown, { onSignal }) => {
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => onSignal(signal));
    onShown();
    return mountLinear({
      engine,
      version,
      cwd: process.cwd(),
      initialPrompt: args.prompt,
      settings: {},
      input: process.stdin,
      write: (text) => void process.stdout.write(text),
      signals: process,
    });
  };
};

const drawnMount = async (args: ParsedArgs, layout: "inline" | "fullscreen", first: FirstSettings): Promise<Mount> => {
  const { mountApp } = await import("../../components/mount.js");
  const folder = configDir(process.env);
  return (engine, onShown, endings) =>
    mountApp({
      engine,
      onShown,
      layout,
      stdin: process.stdin,
      stdout: process.stdout,
      env: process.env,
      version,
      cwd: process.cwd(),
      initialPrompt: args.prompt,
      settings: {
        theme: first.theme,
        reducedMotion: first.prefersReducedMotion,
        syntaxHighlightingDisabled: first.syntaxHighlightingDisabled,
        editorMode: first.editorMode,
      },
      editText: (text) => editText(text, process.env),
      openFile: (path) => openFile(path, process.env),
      copyText: (text) => void copyText(text, process.env),
      openUrl: (address) => openUrl(address, process.env),
      keybindings: keybindingsFile(folder),
      themes: { list: () => listThemes(folder), watch: (onChange) => watchThemes(folder, onChange) },
      ...endings,
    });
};

/** How the command line names a session: by its name where a person gave one that no shell misreads, else by its id. */
const handleOf = ({ sessionId, title, isNamed }: SessionInfo): string =>
  isNamed && title && /^[\p{L}\p{N}][\p{L}\p{N} ._()-]*$/u.test(title) ? `"${title}"` : sessionId;

/** Runs on the terminal and ends the process with the right exit code. */
export const runInteractive = async (args: ParsedArgs): Promise<void> => {
  const settings = firstSettings();
  const kind = chooseScreen({ isLinear: args.isLinear, isInline: args.isInline, env: process.env, settings });
  const mount = kind === "linear" ? await linearMount(args) : await drawnMount(args, kind, settings);
  checkpoint("components loaded");
  // Listeners that stay: Ink's exit hook lets the signal kill us as soon as it finds itself the only one left.
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => undefined);
  // The engine keeps the processor busy while it loads: the first frame and the echo of keys typed before come first.
  const { promise: isShown, resolve: onShown } = Promise.withResolvers<void>();
  const engine = isShown.then(() => loadEngine(args));
  engine.catch(() => undefined); // the screen shows it; until it listens, it must not count as unhandled
  const closeEngine = async (reason: "prompt_input_exit" | "other"): Promise<void> => {
    onShown(); // when the terminal went away before the first frame
    await engine.then(
      (loaded) => loaded.close(reason),
      () => undefined, // it never came up: nothing to close
    );
  };
  const app = mount(engine, onShown, {
    onSignal: (signal) => {
      void closeEngine("other").finally(() => process.exit(exitCodeOf(signal)));
    },
    onCrash: (error) => {
      process.stderr.write(bugText(error));
      void closeEngine("other").finally(() => process.exit(1));
    },
  });
  checkpoint("mounted");
  const code = await app.waitUntilExit();
  const loaded = await engine.catch(() => undefined);
  await closeEngine("prompt_input_exit");
  if (loaded?.hasTranscript())
    process.stdout.write(`Go on with this session: claude --resume ${handleOf(loaded.session())}\n`);
  process.exit(code);
};
