// Pty driver: a program in a real pseudo-terminal, its output read through a terminal emulator.
// All waiting is event driven: a condition is looked at again whenever the program has written something.
import { spawn } from "@lydell/node-pty";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { keyBytes, type MouseButton, mousePress, mouseRelease, pasteBytes } from "./keys.js";

export interface PtyOptions {
  command: string;
  args?: string[];
  cwd: string;
  /** The whole environment; nothing is inherited but PATH. */
  env?: Record<string, string | undefined>;
  cols?: number;
  rows?: number;
  /** Limit of each wait. Default 10 s. */
  timeoutMs?: number;
  /** Answers OSC 11 (background colour) with this, e.g. "ffff/ffff/ffff". Default: no answer. */
  background?: string;
  /** Answers the kitty keyboard query. Default false. */
  kitty?: boolean;
  /** Sees all raw output as it comes. */
  onData?: (data: string, at: number) => void;
}

export interface Cell {
  text: string;
  /** Colour as "default", "palette:3" or "#rrggbb". */
  fg: string;
  bg: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strikethrough: boolean;
}

export interface PtyExit {
  code: number;
  signal: number | undefined;
}

type Terminal = InstanceType<typeof xterm.Terminal>;
type BufferCell = NonNullable<ReturnType<NonNullable<ReturnType<Terminal["buffer"]["active"]["getLine"]>>["getCell"]>>;

const colour = (cell: BufferCell, kind: "fg" | "bg"): string => {
  const isFg = kind === "fg";
  if (isFg ? cell.isFgDefault() : cell.isBgDefault()) return "default";
  const value = isFg ? cell.getFgColor() : cell.getBgColor();
  if (isFg ? cell.isFgRGB() : cell.isBgRGB()) return `#${value.toString(16).padStart(6, "0")}`;
  return `palette:${value}`;
};

/** Variables that would change what the program draws: unset unless the test gives them. */
const neutral = ["CI", "DEV", "FORCE_COLOR", "COLUMNS", "LINES", "NO_COLOR", "TMUX", "SSH_CONNECTION", "TERM_PROGRAM"];

export class Pty {
  readonly exit: Promise<PtyExit>;
  /** All raw output so far. */
  bytes = "";
  hasExited = false;
  cols: number;
  rows: number;
  private readonly terminal: Terminal;
  private readonly process: ReturnType<typeof spawn>;
  private readonly waiters = new Set<() => void>();
  private readonly privateModes = new Map<number, boolean>();
  private readonly timeoutMs: number;
  private parsing = 0;

  constructor(options: PtyOptions) {
    this.cols = options.cols ?? 80;
    this.rows = options.rows ?? 24;
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.terminal = new xterm.Terminal({
      cols: this.cols,
      rows: this.rows,
      scrollback: 10_000,
      allowProposedApi: true,
    });
    // The package names its class's base in a browser type; at run time it is a headless addon like any other.
    this.terminal.loadAddon(new UnicodeGraphemesAddon() as never);
    this.terminal.unicode.activeVersion = "15-graphemes";
    this.watchModes();
    this.answerQueries(options);
    const env: Record<string, string> = { PATH: process.env.PATH ?? "", TERM: "xterm-256color", LANG: "C.UTF-8" };
    for (const [name, value] of Object.entries(options.env ?? {})) if (value !== undefined) env[name] = value;
    for (const name of neutral) if (options.env?.[name] === undefined) delete env[name];
    this.process = spawn(options.command, options.args ?? [], {
      name: env.TERM ?? "xterm-256color",
      cols: this.cols,
      rows: this.rows,
      cwd: options.cwd,
      env,
    });
    this.terminal.onData((answer) => this.send(answer));
    this.process.onData((data) => {
      options.onData?.(data, performance.timeOrigin + performance.now());
      this.bytes += data;
      this.parsing += 1;
      this.terminal.write(data, () => {
        this.parsing -= 1;
        this.wake();
      });
    });
    this.exit = new Promise((resolve) => {
      this.process.onExit(({ exitCode, signal }) => {
        // Output may still be in the parser; the screen is complete once it is empty.
        this.terminal.write("", () => {
          this.hasExited = true;
          this.wake();
          resolve({ code: exitCode, signal: signal || undefined });
        });
      });
    });
  }

  get pid(): number {
    return this.process.pid;
  }

  private watchModes(): void {
    const set = (isOn: boolean) => (params: (number | number[])[]) => {
      for (const param of params) if (typeof param === "number") this.privateModes.set(param, isOn);
      return false;
    };
    this.terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, set(true));
    this.terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, set(false));
  }

  private answerQueries(options: PtyOptions): void {
    const { background, kitty } = options;
    if (background)
      this.terminal.parser.registerOscHandler(11, (data) => {
        if (data === "?") this.send(`\x1b]11;rgb:${background}\x1b\\`);
        return true;
      });
    if (kitty)
      this.terminal.parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
        this.send("\x1b[?0u");
        return true;
      });
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter();
  }

  private send(bytes: string): void {
    if (!this.hasExited) this.process.write(bytes);
  }

  /** The visible lines, right side trimmed. */
  screen(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from({ length: this.rows }, (_, y) =>
      (active.getLine(active.baseY + y)?.translateToString(true, 0, this.cols) ?? "").trimEnd(),
    );
  }

  /** The visible lines as one text, empty lines at the end left out. */
  text(): string {
    return this.screen().join("\n").trimEnd();
  }

  /** All lines including those scrolled off (inline mode, shells). */
  scrollback(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from({ length: active.length }, (_, y) =>
      (active.getLine(y)?.translateToString(true, 0, this.cols) ?? "").trimEnd(),
    );
  }

  /** The hardware cursor, 0-based, and whether it is shown. */
  cursor(): { x: number; y: number; isVisible: boolean } {
    const { cursorX: x, cursorY: y } = this.terminal.buffer.active;
    return { x, y, isVisible: this.privateModes.get(25) !== false };
  }

  /** One cell of the screen, 0-based. */
  cell(x: number, y: number): Cell {
    const { active } = this.terminal.buffer;
    const cell = active.getLine(active.baseY + y)?.getCell(x);
    if (!cell) throw new Error(`No cell at ${x},${y} on a screen of ${this.cols}x${this.rows}`);
    return {
      text: cell.getChars() || " ",
      fg: colour(cell, "fg"),
      bg: colour(cell, "bg"),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      inverse: cell.isInverse() !== 0,
      strikethrough: cell.isStrikethrough() !== 0,
    };
  }

  /** First place of a text on the screen, 0-based, counted in cells as long as the line holds no wide characters before it. */
  find(text: string): { x: number; y: number } | undefined {
    for (const [y, line] of this.screen().entries()) {
      const x = line.indexOf(text);
      if (x >= 0) return { x, y };
    }
    return undefined;
  }

  /** Whether a DEC private mode (1049 alternate screen, 2004 paste, 25 cursor …) is set now. */
  modeIsSet(mode: number): boolean {
    return this.privateModes.get(mode) === true;
  }

  /** Resolves once the condition holds; looked at after each output and once at the start. */
  waitUntil(condition: (pty: Pty) => boolean, what = "a condition", timeoutMs = this.timeoutMs): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (error?: Error) => {
        clearTimeout(timer);
        this.waiters.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const check = () => {
        try {
          if (condition(this)) finish();
          else if (this.hasExited && this.parsing === 0)
            finish(new Error(`The program ended while waiting for ${what}.\n${this.picture()}`));
        } catch (error) {
          finish(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const timer = setTimeout(
        () => finish(new Error(`Not seen in ${timeoutMs} ms: ${what}.\n${this.picture()}`)),
        timeoutMs,
      );
      this.waiters.add(check);
      check();
    });
  }

  /** Resolves once the screen shows the text (or matches the pattern). */
  async waitFor(wanted: string | RegExp, timeoutMs?: number): Promise<void> {
    const shows = () => (typeof wanted === "string" ? this.text().includes(wanted) : wanted.test(this.text()));
    await this.waitUntil(shows, typeof wanted === "string" ? JSON.stringify(wanted) : String(wanted), timeoutMs);
  }

  /** Resolves once the screen no longer shows the text. */
  async waitForGone(text: string | RegExp, timeoutMs?: number): Promise<void> {
    const shows = () => (typeof text === "string" ? this.text().includes(text) : text.test(this.text()));
    await this.waitUntil(() => !shows(), `the end of ${text}`, timeoutMs);
  }

  /** Resolves when nothing has been written for `quietMs` (at most `limitMs` altogether). */
  settle(quietMs = 60, limitMs = 2_000): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(quiet);
        clearTimeout(limit);
        this.waiters.delete(again);
        resolve();
      };
      let quiet = setTimeout(finish, quietMs);
      const again = () => {
        clearTimeout(quiet);
        quiet = setTimeout(finish, quietMs);
      };
      const limit = setTimeout(finish, limitMs);
      this.waiters.add(again);
    });
  }

  /** Presses keys by name, each as its own write. */
  press(...keys: string[]): void {
    for (const key of keys) this.send(keyBytes(key));
  }

  /** Types text as it is (one write). */
  type(text: string): void {
    this.send(text);
  }

  /** Pastes: bracketed when the program asked for it. */
  paste(text: string): void {
    this.send(this.modeIsSet(2004) ? pasteBytes(text) : text);
  }

  /** Presses (and for buttons releases) the mouse at a cell, 0-based. */
  mouse(button: MouseButton, x: number, y: number): void {
    this.send(mousePress(button, x, y));
    if (!button.startsWith("wheel")) this.send(mouseRelease(button, x, y));
  }

  /** Resizes emulator and pty together. */
  resize(cols: number, rows: number): void {
    this.cols = cols;
    this.rows = rows;
    this.terminal.resize(cols, rows);
    this.process.resize(cols, rows);
  }

  /** Stops reading the program's output: a slow terminal. */
  pauseReading(): void {
    this.process.pause();
  }
  resumeReading(): void {
    this.process.resume();
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    if (!this.hasExited) process.kill(this.pid, signal);
  }

  /** Ends the program if it still runs and waits for its end. */
  async dispose(): Promise<void> {
    if (!this.hasExited) {
      try {
        process.kill(this.pid, "SIGKILL");
      } catch {
        // It has just ended by itself.
      }
      await this.exit;
    }
    this.terminal.dispose();
  }

  /** The screen in a frame, for messages of failed tests. */
  picture(): string {
    const edge = `+${"-".repeat(this.cols)}+`;
    const { x, y } = this.cursor();
    return [edge, ...this.screen().map((line) => `|${line}`), edge, `cursor ${x},${y}`].join("\n");
  }
}

/** Starts a program in a pseudo-terminal of 80x24 (or as asked). */
export const startPty = (options: PtyOptions): Pty => new Pty(options);
