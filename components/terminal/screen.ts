// Screen: enters and leaves the full screen, exactly once and synchronously, on every way out; suspends for Ctrl+Z and
// other programs; notices resizes.
import { Modes, type ScreenLayout } from "./modes.js";

/** What the screen needs of `process`; tests hand in their own. */
export interface ProcessLike {
  pid: number;
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  exit(code: number): never | void;
}

/** What the screen needs of the real stdin. */
export interface KeyboardLike {
  isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface ScreenOptions {
  keyboard: KeyboardLike;
  process: ProcessLike;
  mouse: boolean;
  layout: ScreenLayout;
  /** Blocking write to the terminal. */
  writeSync: (bytes: string) => void;
  /** True while a frame is on its way: leaving must then first end a half-sent sequence. */
  isMidFrame: () => boolean;
  /** Takes console output for as long as the screen is ours; returns the undo. */
  patchConsole: () => () => void;
  /** The terminal may have another size or have reflowed. */
  onResize: () => void;
  /** Before control goes away: stop frames, forget half-read keys; returns bytes that were still to be sent. */
  onSuspend: () => string;
  /** After it came back. */
  onResume: () => void;
  /** Runs after the terminal is restored; the default exits with 128 + the signal's number. */
  onSignal?: (signal: NodeJS.Signals) => void;
  /** Runs after the terminal is restored; the default prints the error and exits with 1. */
  onCrash?: (error: unknown) => void;
}

export interface Screen {
  readonly modes: Modes;
  readonly isActive: boolean;
  enter(): void;
  /** Restores the terminal; later calls do nothing. */
  leave(): void;
  /** Gives the terminal to another program until `resume`. */
  suspend(): void;
  resume(): void;
  /** Between the full screen and lines in the scrollback; the next frame draws everything anew. */
  setLayout(layout: ScreenLayout): void;
  /** The terminal is gone (its input ended): the same as SIGHUP. */
  hangUp(): void;
  /** Ctrl+Z: restores the terminal and stops the process; SIGCONT brings the screen back. */
  stop(): void;
}

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const maxTimerMs = 2 ** 31 - 1; // the longest Node has
const resizeQuietMs = 60; // terminals go on reflowing for a moment after the last signal

class FullScreen implements Screen {
  readonly modes: Modes;
  private state: "outside" | "active" | "suspended" | "left" = "outside";
  private isStopped = false;
  private undoConsole: (() => void) | null = null;
  private resizeTimer: NodeJS.Timeout | null = null;
  /** Without the keyboard nothing may be left to wait for, and Node would end the program while it is suspended. */
  private holdTimer: NodeJS.Timeout | null = null;
  private readonly listeners: [string, (...args: never[]) => void][];

  constructor(private readonly options: ScreenOptions) {
    this.modes = new Modes({ mouse: options.mouse, layout: options.layout });
    this.listeners = [
      ["exit", () => this.leave()],
      ["SIGHUP", () => this.onSignal("SIGHUP")],
      ["SIGINT", () => this.onSignal("SIGINT")],
      ["SIGTERM", () => this.onSignal("SIGTERM")],
      ["SIGTSTP", () => this.onStop()],
      ["SIGCONT", () => this.onContinue()],
      ["SIGWINCH", () => this.onWindowChange()],
      // Unhandled rejections arrive here as well (Node's default); a listener of their own would hide their origin.
      ["uncaughtException", (error: unknown) => this.onCrash(error)],
    ];
  }

  get isActive(): boolean {
    return this.state === "active";
  }

  enter(): void {
    if (this.state !== "outside") return;
    for (const [event, listener] of this.listeners) this.options.process.on(event, listener);
    this.undoConsole = this.options.patchConsole();
    this.takeTerminal();
  }

  leave(): void {
    if (this.state === "left" || this.state === "outside") return;
    if (this.state === "active") this.giveTerminal();
    this.state = "left";
    if (this.resizeTimer) clearTimeout(this.resizeTimer);
    if (this.holdTimer) clearTimeout(this.holdTimer);
    this.undoConsole?.();
    this.options.keyboard.unref?.();
    for (const [event, listener] of this.listeners) this.options.process.off(event, listener);
  }

  suspend(): void {
    if (this.state !== "active") return;
    this.giveTerminal();
    this.state = "suspended";
    this.holdTimer = setTimeout(() => {}, maxTimerMs);
  }

  resume(): void {
    if (this.state !== "suspended") return;
    if (this.holdTimer) clearTimeout(this.holdTimer);
    this.takeTerminal();
    this.options.onResume();
  }

  setLayout(layout: ScreenLayout): void {
    if (layout === this.modes.layout) return;
    if (this.state !== "active") {
      this.modes.setLayout(layout);
      return;
    }
    const unsent = this.options.onSuspend();
    const left = (this.options.isMidFrame() ? "\u001b\\" : "") + unsent + this.modes.leave();
    this.modes.setLayout(layout);
    this.options.writeSync(left + this.modes.enter());
    this.options.onResume();
  }

  hangUp(): void {
    if (this.state === "active") this.onSignal("SIGHUP");
  }

  stop(): void {
    // The whole foreground group, as a terminal does it: a wrapper such as npm must stop with us.
    this.options.process.kill(0, "SIGTSTP");
  }

  private takeTerminal(): void {
    const { keyboard } = this.options;
    this.state = "active";
    keyboard.setRawMode?.(true);
    keyboard.ref?.();
    keyboard.resume();
    this.options.writeSync(this.modes.enter());
  }

  private giveTerminal(): void {
    const { keyboard } = this.options;
    const unsent = this.options.onSuspend();
    // A frame cut in half may have left a sequence open: ESC \ ends any of them and prints nothing.
    this.options.writeSync((this.options.isMidFrame() ? "\u001b\\" : "") + unsent + this.modes.leave());
    try {
      keyboard.setRawMode?.(false);
    } catch {
      // The terminal is gone (SIGHUP): there is no mode to restore.
    }
    keyboard.pause();
  }

  private onSignal(signal: keyof typeof signalCodes): void {
    this.leave();
    if (this.options.onSignal) this.options.onSignal(signal);
    else this.options.process.exit(signalCodes[signal]);
  }

  private onCrash(error: unknown): void {
    this.leave();
    if (this.options.onCrash) {
      this.options.onCrash(error);
      return;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.options.writeSync(`${text}\n`);
    this.options.process.exit(1);
  }

  private onStop(): void {
    this.isStopped = this.state === "active";
    this.suspend();
    this.options.process.kill(this.options.process.pid, "SIGSTOP");
  }

  private onContinue(): void {
    if (this.isStopped) {
      this.isStopped = false;
      this.resume();
    } else if (this.state === "active") {
      // Stopped without warning (SIGSTOP): the shell has set its own modes meanwhile. Node believes that the terminal is
      // raw still and would do nothing on a plain `true`.
      this.options.keyboard.setRawMode?.(false);
      this.options.keyboard.setRawMode?.(true);
      this.options.writeSync(this.modes.reassert());
      this.onWindowChange();
    }
  }

  private onWindowChange(): void {
    if (this.state !== "active") return;
    this.options.onResize();
    if (this.resizeTimer) clearTimeout(this.resizeTimer);
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = null;
      if (this.state === "active") this.options.onResize();
    }, resizeQuietMs);
  }
}

/** A screen that is not entered yet. */
export const createScreen = (options: ScreenOptions): Screen => new FullScreen(options);
