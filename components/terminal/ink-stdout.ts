// The stdout Ink gets: its debug mode writes whole frames here (the "tap"), which become the writer's bottom rows.
// A contract test pins what Ink 8.0.0 writes; with another version read that test first.
import { EventEmitter } from "node:events";
import type { Size } from "./frame-writer.js";

export interface InkStdoutOptions {
  size: () => Size;
  /** A whole frame, split into rows. */
  onFrame: (rows: string[]) => void;
  /** Control strings Ink sends besides frames: paste mode, kitty keyboard, cursor. */
  onControl: (bytes: string) => void;
}

const controlOnly = /^(?:\u001b\[[?<>=][0-9;]*[a-zA-Z])+$/;

class InkStdout extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;

  constructor(private readonly options: InkStdoutOptions) {
    super();
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.options.size().columns;
  }

  get rows(): number {
    return this.options.size().rows;
  }

  /** Like a stream's write; always calls `done`, or Ink's flush and exit waits would hang. */
  write(data: string | Uint8Array, encodingOrDone?: unknown, done?: unknown): boolean {
    const text = typeof data === "string" ? data : Buffer.from(data).toString("utf8");
    if (controlOnly.test(text)) this.options.onControl(text);
    else if (text !== "") this.options.onFrame(text === "\n" ? [] : text.split("\n"));
    const callback = typeof encodingOrDone === "function" ? encodingOrDone : done;
    if (typeof callback === "function") callback();
    return true;
  }
}

export interface InkStdoutProxy {
  /** For Ink's `stdout` option. */
  stream: NodeJS.WriteStream;
  /** Tells Ink about a new size; call after the store knows it. */
  emitResize(): void;
}

/** A stand-in for process.stdout that only Ink writes to. */
export const createInkStdout = (options: InkStdoutOptions): InkStdoutProxy => {
  const stream = new InkStdout(options);
  return {
    // Ink uses write, columns, rows, isTTY, on and off only; the type asks for a whole tty stream.
    stream: stream as unknown as NodeJS.WriteStream,
    emitResize: () => void stream.emit("resize"),
  };
};
