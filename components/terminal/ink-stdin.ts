// The stdin Ink gets: a queue of finished input events. Ink reads one string per `read()`, so text and Enter that
// belong apart stay apart, and keys typed before Ink listens wait here.
import { EventEmitter } from "node:events";

class InkStdin extends EventEmitter {
  readonly isTTY = true;
  readonly fd = 0;
  private readonly queue: string[] = [];

  constructor() {
    super();
    this.setMaxListeners(0);
    this.on("newListener", (event: string) => {
      if (event === "readable" && this.queue.length > 0) queueMicrotask(() => this.emit("readable"));
    });
  }

  enqueue(event: string): void {
    this.queue.push(event);
    this.emit("readable");
  }

  read(): string | null {
    return this.queue.shift() ?? null;
  }

  // Raw mode, encoding and the event loop's hold on the real stdin belong to the screen and the router.
  setRawMode(): this {
    return this;
  }
  setEncoding(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
}

export interface InkStdinProxy {
  /** For Ink's `stdin` option. */
  stream: NodeJS.ReadStream;
  /** One key, one run of text, or one whole bracketed paste. */
  enqueue(event: string): void;
}

/** A stand-in for process.stdin that only Ink reads from. */
export const createInkStdin = (): InkStdinProxy => {
  const stdin = new InkStdin();
  return { stream: stdin as unknown as NodeJS.ReadStream, enqueue: (event) => stdin.enqueue(event) };
};
