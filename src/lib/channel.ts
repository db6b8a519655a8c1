// A queue between producers and one async reader, with back-pressure.

export interface Channel<T> extends AsyncIterable<T> {
  /** Adds a value. Resolves at once while the buffer is short, else when the reader has caught up. */
  push(value: T): Promise<void>;
  /** No more values: the reader ends after what is buffered. */
  close(): void;
}

const defaultHighWater = 256; // values; above it producers wait

/** A channel for one reader. A reader that stops early releases every waiting producer. */
export const createChannel = <T>(highWater = defaultHighWater): Channel<T> => {
  let buffer: T[] = [];
  let isClosed = false;
  let wakeReader: (() => void) | undefined;
  let waiting: (() => void)[] = [];
  const release = () => {
    const resolvers = waiting;
    waiting = [];
    for (const resolve of resolvers) resolve();
  };
  return {
    push: async (value) => {
      if (isClosed) return;
      buffer.push(value);
      wakeReader?.();
      if (buffer.length >= highWater) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () => {
      isClosed = true;
      wakeReader?.();
      release();
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const values = buffer;
          buffer = [];
          release();
          yield* values;
          if (buffer.length > 0) continue;
          if (isClosed) return;
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
          wakeReader = undefined;
        }
      } finally {
        isClosed = true;
        release();
      }
    },
  };
};
