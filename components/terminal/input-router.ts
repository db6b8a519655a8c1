// InputRouter: the one reader of the keyboard. A state machine that knows pastes, takes out mouse, focus and replies,
// holds back what is incomplete, and gives Ink one finished event at a time.
import { StringDecoder } from "node:string_decoder";
import { type MouseEvent, parseSequence } from "./sequences.js";

export interface InputRouterOptions {
  /** One event for Ink: a key, a run of text, or a whole paste between its markers. */
  onEvent: (text: string) => void;
  onMouse: (event: MouseEvent) => void;
  onFocus: (isFocused: boolean) => void;
  onReply?: (text: string) => void;
  now?: () => number;
}

export interface InputRouter {
  /** Bytes as they came from the terminal. */
  push(chunk: Buffer | string): void;
  /** Forgets half-read input (before suspending). */
  reset(): void;
}

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
const escapeHoldMs = 25; // a lone ESC is the Escape key after this
const replyHoldMs = 500; // longest pause inside a terminal's reply
const burstGapMs = 30; // text closer than this belongs to one unmarked paste
const enterHoldMs = 20; // an Enter glued to text may be a paste's first line: wait this long for more
const mouseTail = /^\[<\d+;\d+;\d+[Mm]/;
const keyControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Longest end of `text` that may be the beginning of `marker`. */
const partialEnd = (text: string, marker: string): number => {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--)
    if (marker.startsWith(text.slice(-length))) return length;
  return 0;
};

class Router implements InputRouter {
  private decoder = new StringDecoder("utf8");
  private readonly now: () => number;
  private pending = "";
  private paste: string[] | null = null;
  /** Text of an unmarked paste, or of typed text whose Enter is held back. */
  private burst = "";
  private isPasteBurst = false;
  private timer: NodeJS.Timeout | null = null;
  private lastChunkAt = Number.NEGATIVE_INFINITY;
  private escapeSentAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: InputRouterOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  push(chunk: Buffer | string): void {
    const text = typeof chunk === "string" ? chunk : this.decoder.write(chunk);
    if (text === "") return;
    this.stopTimer();
    const now = this.now();
    const sinceLastMs = now - this.lastChunkAt;
    this.lastChunkAt = now;
    this.read(this.dropMouseTail(this.pending + text), sinceLastMs);
    this.armTimer();
  }

  reset(): void {
    this.stopTimer();
    this.pending = "";
    this.burst = "";
    this.isPasteBurst = false;
    this.paste = null;
    this.decoder = new StringDecoder("utf8");
  }

  /** A mouse report whose ESC came so early that it counted as Escape must not turn into typed text. */
  private dropMouseTail(text: string): string {
    if (this.pending !== "" || this.now() - this.escapeSentAt > 250) return text;
    return text.replace(mouseTail, "");
  }

  private read(input: string, sinceLastMs: number): void {
    let text = input;
    this.pending = "";
    while (text !== "") {
      if (this.paste) {
        text = this.readPaste(this.paste, text, sinceLastMs);
        continue;
      }
      const at = text.indexOf("\u001b");
      if (at !== 0) {
        const plain = at < 0 ? text : text.slice(0, at);
        this.readText(plain, sinceLastMs);
        text = text.slice(plain.length);
        continue;
      }
      this.flushBurst();
      const parsed = parseSequence(text);
      if (parsed === "incomplete") {
        this.pending = text;
        return;
      }
      text = text.slice(parsed.length);
      this.route(parsed.token);
    }
  }

  private route(token: Exclude<ReturnType<typeof parseSequence>, "incomplete">["token"]): void {
    if (token.kind === "key") this.options.onEvent(token.text);
    else if (token.kind === "mouse") this.options.onMouse(token.event);
    else if (token.kind === "focus") this.options.onFocus(token.isFocused);
    else if (token.kind === "reply") this.options.onReply?.(token.text);
    else if (token.kind === "paste-start") this.paste = [];
  }

  /** Inside a paste nothing is interpreted; returns what follows its end. */
  private readPaste(parts: string[], text: string, sinceLastMs: number): string {
    const end = text.indexOf(pasteEnd);
    if (end >= 0) {
      parts.push(text.slice(0, end));
      this.paste = null;
      this.options.onEvent(pasteStart + parts.join("") + pasteEnd);
      return text.slice(end + pasteEnd.length);
    }
    // A terminal that never ends its paste must not lock the keyboard: Ctrl+C after a pause leaves the paste.
    if (text === "\u0003" && sinceLastMs > 500) {
      this.paste = null;
      this.options.onEvent(text);
      return "";
    }
    const held = partialEnd(text, pasteEnd);
    parts.push(text.slice(0, text.length - held));
    this.pending = text.slice(text.length - held);
    return "";
  }

  /** Text between escape sequences. Control characters are keys of their own; line ends decide about pastes. */
  private readText(text: string, sinceLastMs: number): void {
    let rest = text;
    for (let at = rest.search(keyControl); at >= 0; at = rest.search(keyControl)) {
      if (at > 0) this.readRun(rest.slice(0, at), sinceLastMs);
      this.flushBurst();
      this.options.onEvent(rest[at] as string);
      rest = rest.slice(at + 1);
    }
    if (rest !== "") this.readRun(rest, sinceLastMs);
  }

  private readRun(run: string, sinceLastMs: number): void {
    const isWithinBurst = this.burst !== "" && sinceLastMs < burstGapMs;
    if (this.burst !== "" && !isWithinBurst) this.flushBurst();
    const content = run.replace(/[\r\n]+$/, "");
    const hasInnerLineEnd = /[\r\n]/.test(content);
    const endsLine = content.length < run.length;
    if (isWithinBurst || hasInnerLineEnd) {
      this.isPasteBurst = true;
      this.burst += run;
    } else if (endsLine && (content !== "" || sinceLastMs < enterHoldMs)) {
      this.burst = run;
    } else if (endsLine || content === "\t") {
      for (const key of run.replaceAll("\r\n", "\r")) this.options.onEvent(key);
    } else this.emitTyped(run);
  }

  /** Typed text; a tab in it is the Tab key. */
  private emitTyped(run: string): void {
    for (const part of run.split(/(\t)/)) if (part !== "") this.options.onEvent(part);
  }

  private flushBurst(): void {
    const { burst, isPasteBurst } = this;
    if (burst === "") return;
    this.burst = "";
    this.isPasteBurst = false;
    if (isPasteBurst) {
      this.options.onEvent(pasteStart + burst + pasteEnd);
      return;
    }
    const text = burst.replace(/[\r\n]+$/, "");
    if (text !== "") this.emitTyped(text);
    for (const key of burst.slice(text.length).replaceAll("\r\n", "\r")) this.options.onEvent(key);
  }

  private stopTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  /** One-shot: runs only while something is held back. */
  private armTimer(): void {
    const delayMs = this.burst !== "" ? (this.isPasteBurst ? burstGapMs : enterHoldMs) : this.pendingHoldMs();
    if (delayMs === null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.flushBurst();
      if (!this.paste) this.flushPending();
    }, delayMs);
  }

  private pendingHoldMs(): number | null {
    if (this.pending === "" || this.paste) return null;
    // A mouse report or paste marker in pieces is worth waiting for: no key begins like that.
    if (/^\u001b\[(?:<|20\d)/.test(this.pending)) return 2 * replyHoldMs;
    return this.pending.length > 2 && /^\u001b[\]PX^_]/.test(this.pending) ? replyHoldMs : escapeHoldMs;
  }

  private flushPending(): void {
    const held = this.pending;
    this.pending = "";
    if (held === "" || /^\u001b\[<|^\u001b[\]PX^_]./.test(held)) return;
    if (/^\u001b+$/.test(held)) {
      // As the unambiguous form: Ink would wait another 20 ms for a sequence to follow.
      this.escapeSentAt = this.now();
      for (const _ of held) this.options.onEvent("\u001b[27u");
      return;
    }
    this.options.onEvent(held);
  }
}

/** A router; `push` every chunk of the real stdin into it. */
export const createInputRouter = (options: InputRouterOptions): InputRouter => new Router(options);
