// Lines of a command that is watched, put together to messages: soon when it is quiet, seldom when it is chatty, never without end.

export interface LineFeed {
  /** A piece of output; half lines wait for their rest. */
  add(bytes: Buffer): void;
  /** No more comes: what waits is sent. */
  end(): void;
}

export interface LineFeedOptions {
  send(lines: string): void;
  now(): number;
  /** Calls back after `ms`; gives a function that takes it back. */
  after(ms: number, run: () => void): () => void;
}

const shortestGapMs = 200;
const longestGapMs = 30_000;
const quietAfterMs = 5_000; // a pause after which a command is not chatty any more
const keptFirst = 20; // lines of one message …
const keptLast = 60; // … from its beginning and its end
const mostLineChars = 500;

const cut = (line: string): string => (line.length > mostLineChars ? `${line.slice(0, mostLineChars)}…` : line);

/**
 * The first message leaves 200 ms after its first line. While lines keep coming the gap doubles up to 30 s; a pause as long as
 * the gap, and 5 s at least, makes it short again. A message holds at most 80 lines and says how many it left out.
 */
export const createLineFeed = ({ send, now, after }: LineFeedOptions): LineFeed => {
  const decoder = new TextDecoder();
  let half = "";
  let first: string[] = [];
  let last: string[] = [];
  let count = 0;
  let gapMs = shortestGapMs;
  let sentAt = Number.NEGATIVE_INFINITY;
  let lineAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (count === 0) return;
    const left = count - first.length - last.length;
    const lines = [...first, ...(left > 0 ? [`[… ${left} lines left out …]`] : []), ...last];
    [first, last, count] = [[], [], 0];
    sentAt = now();
    send(lines.join("\n"));
  };
  const push = (line: string): void => {
    if (line.trim() === "") return;
    count++;
    if (first.length < keptFirst) first.push(cut(line));
    else {
      last.push(cut(line));
      if (last.length > keptLast) last.shift();
    }
  };
  const schedule = (): void => {
    const quietMs = now() - lineAt;
    lineAt = now();
    if (cancel) return;
    gapMs = quietMs >= Math.max(quietAfterMs, gapMs) ? shortestGapMs : Math.min(longestGapMs, gapMs * 2);
    cancel = after(Math.max(shortestGapMs, gapMs - (now() - sentAt)), flush);
  };
  return {
    add: (bytes) => {
      const parts = (half + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      half = (parts.pop() ?? "").slice(-10 * mostLineChars); // a line without end must not grow without end
      for (const line of parts) push(line);
      if (count > 0) schedule();
    },
    end: () => {
      push(half);
      half = "";
      flush();
    },
  };
};
