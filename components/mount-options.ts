// What the screen is given by the program around it.
import type { Engine } from "../src/protocol/engine.js";
import type { TerminalOptions } from "./terminal/terminal.js";
import type { ThemeFile } from "./theme/load-themes.js";

/** The file of key bindings. */
export interface KeybindingsPort {
  path: string;
  /** Its text; null: there is no file. */
  read(): Promise<string | null>;
  /** Writes a file where there is none. */
  create(text: string): Promise<void>;
  watch(onChange: () => void): void;
}

export interface MountOptions {
  /** The engine, while it may still be loading: keys typed before are kept. */
  engine: Promise<Engine>;
  /** Called once, when the first frame and the echo of keys that were typed before are out. */
  onShown?: (() => void) | undefined;
  stdin: NonNullable<TerminalOptions["stdin"]>;
  stdout: NonNullable<TerminalOptions["stdout"]>;
  env: Record<string, string | undefined>;
  /** For the banner of the first frame. */
  version: string;
  cwd: string;
  initialPrompt?: string | undefined;
  /** The full screen (default), or lines in the terminal's own scrollback. */
  layout?: "fullscreen" | "inline" | undefined;
  settings: {
    reducedMotion?: boolean | undefined;
    theme?: string | undefined;
    syntaxHighlightingDisabled?: boolean | undefined;
    editorMode?: string | undefined;
    /** For tests: how long dialogs stay deaf. */
    quietMs?: number | undefined;
  };
  /** Opens the user's editor on a text; null when it was left without a change. The terminal is handed over meanwhile. */
  editText?: ((text: string) => Promise<string | null>) | undefined;
  /** Opens a file in the user's editor; resolves to null, or to what went wrong. */
  openFile?: ((path: string) => Promise<string | null>) | undefined;
  /** Puts text into the clipboard of this machine, besides what the terminal does. */
  copyText?: ((text: string) => void) | undefined;
  /** Opens a web address in the person's browser; false where there is none. */
  openUrl?: ((address: string) => boolean) | undefined;
  /** The person's key bindings. */
  keybindings?: KeybindingsPort | undefined;
  /** The person's theme files. */
  themes?: { list(): Promise<ThemeFile[]>; watch(onChange: () => void): void } | undefined;
  /** Takes what console and stderr print while the screen is ours. */
  log?: (text: string) => void;
  /** After the terminal is restored on a signal or a crash; the defaults exit the process. */
  onSignal?: (signal: NodeJS.Signals) => void;
  onCrash?: (error: unknown) => void;
}

export interface MountedApp<Store> {
  /** Resolves with the exit code once the terminal is restored. */
  waitUntilExit(): Promise<number>;
  store: Store;
}
