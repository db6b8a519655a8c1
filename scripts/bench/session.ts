// A program in a pty for measuring: raw output with arrival times, no emulator in the way.
import { spawn } from "@lydell/node-pty";
import { cpuOf, sleep } from "./machine.js";

export interface Target {
  name: string;
  command: string;
  args: string[];
}

interface Watcher {
  text: string;
  found: (at: number) => void;
}

/** Letters that no interface text holds, each one cell wide: an echo cannot be mistaken. */
export const letters: readonly string[] = [
  [0x3b1, 0x3c1],
  [0x3c3, 0x3c9],
  [0x430, 0x44f],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i)));

export class Session {
  /** When the program itself was started. */
  startedAt = performance.now();
  /** Arrival time and text of every piece of output. */
  readonly output: { at: number; text: string }[] = [];
  hasExited = false;
  private readonly process: ReturnType<typeof spawn>;
  private readonly watchers = new Set<Watcher>();
  private readonly ended: Promise<void>;

  constructor(
    target: Target,
    args: string[],
    options: { cwd: string; env: Record<string, string>; cols?: number; rows?: number },
  ) {
    const { cwd, env, cols = 120, rows = 40 } = options;
    // Without -echo the kernel itself would echo keys typed before the program is up.
    this.process = spawn(
      "/bin/sh",
      ["-c", 'stty -echo; printf READY; exec "$@"', "sh", target.command, ...target.args, ...args],
      {
        name: "xterm-256color",
        cols,
        rows,
        cwd,
        env,
      },
    );
    this.process.onData((text) => {
      const at = performance.now();
      this.output.push({ at, text });
      for (const watcher of [...this.watchers])
        if (text.includes(watcher.text)) {
          this.watchers.delete(watcher);
          watcher.found(at);
        }
    });
    this.ended = new Promise((resolve) => {
      this.process.onExit(() => {
        this.hasExited = true;
        resolve();
      });
    });
  }

  get pid(): number {
    return this.process.pid;
  }

  write(bytes: string): void {
    this.process.write(bytes);
  }

  /** Time at which the text first arrives in the output from now on. Throws after the limit. */
  see(text: string, limitMs = 15_000): Promise<number> {
    return new Promise((resolve, reject) => {
      const watcher: Watcher = {
        text,
        found: (at) => {
          clearTimeout(timer);
          resolve(at);
        },
      };
      const timer = setTimeout(() => {
        this.watchers.delete(watcher);
        reject(
          new Error(
            `no ${JSON.stringify(text)} in ${limitMs} ms; the end of the output was ${JSON.stringify(this.tail())}`,
          ),
        );
      }, limitMs);
      this.watchers.add(watcher);
    });
  }

  private tail(): string {
    return this.output
      .slice(-5)
      .map(({ text }) => text)
      .join("")
      .slice(-300);
  }

  /** Waits until nothing has come for `quietMs`. */
  async rest(quietMs = 250, limitMs = 5_000): Promise<void> {
    const end = performance.now() + limitMs;
    for (;;) {
      const last = this.output.at(-1)?.at ?? this.startedAt;
      const wait = quietMs - (performance.now() - last);
      if (wait <= 0 || performance.now() > end) return;
      await sleep(wait);
    }
  }

  bytesSince(index: number): number {
    return this.output.slice(index).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }

  /** Milliseconds and CPU from the start until a key typed at once is echoed. */
  async firstEcho(): Promise<{ wallMs: number; cpuMs: number }> {
    this.startedAt = await this.see("READY");
    const seen = this.see(letters[0] ?? "");
    this.write(letters[0] ?? "");
    const at = await seen;
    return { wallMs: at - this.startedAt, cpuMs: cpuOf(this.pid) };
  }

  /** Empties the prompt. */
  async clearPrompt(): Promise<void> {
    const changed = this.see("", 3_000);
    this.write("\x15");
    await changed;
    await this.rest(120);
  }

  /** Types `count` letters one by one; milliseconds from key to echo of each, and bytes written per key. */
  async typeKeys(count: number, gapMs = 25): Promise<{ echoMs: number[]; bytesPerKey: number }> {
    const echoMs: number[] = [];
    let bytes = 0;
    for (let done = 0; done < count; ) {
      const from = this.output.length;
      for (const letter of letters.slice(0, Math.min(40, count - done))) {
        const seen = this.see(letter, 3_000);
        const at = performance.now();
        this.write(letter);
        echoMs.push((await seen) - at);
        await sleep(gapMs);
        done += 1;
      }
      bytes += this.bytesSince(from);
      await this.clearPrompt();
    }
    return { echoMs, bytesPerKey: bytes / count };
  }

  /** Wheel steps, ten up, ten down and so on; milliseconds from step to the first output after it. */
  async wheel(count: number, gapMs = 25): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const isUp = Math.floor(i / 10) % 2 === 0;
      const seen = this.see("", 3_000);
      const at = performance.now();
      this.write(`\x1b[<${isUp ? 64 : 65};10;10M`);
      times.push((await seen) - at);
      await sleep(gapMs);
    }
    return times;
  }

  /** Full clears of the screen after a point in the output. */
  clearsSince(index: number): number {
    const text = this.output
      .slice(index)
      .map((piece) => piece.text)
      .join("");
    return text.split(/\x1b\[[23]J|\x1b\[H\x1b\[J/).length - 1;
  }

  async end(): Promise<void> {
    if (this.hasExited) return;
    try {
      process.kill(this.pid, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
    await this.ended;
  }
}
