// Writes whole pieces to stdout in order, slowly when the reader is slow, and quietly stops when it is gone.

export interface LineWriter {
  /** Resolves when the reader has room again. Never rejects; after the reader is gone it does nothing. */
  write(text: string): Promise<void>;
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>;
  /** True once the reader closed its end (EPIPE) or the stream failed. */
  isClosed(): boolean;
}

/** What of a stream the writer uses. */
export type Output = Pick<NodeJS.WriteStream, "write" | "on" | "once" | "off"> & {
  destroyed?: boolean;
  isTTY?: boolean;
};

/** `onClosed` is called once when the reader is gone. */
export const createLineWriter = (output: Output, onClosed: () => void = () => {}): LineWriter => {
  let isClosed = false;
  let pending = 0;
  let wakeFlush: (() => void) | undefined;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    wakeFlush?.();
    onClosed();
  };
  output.on("error", close);
  output.on("close", close);

  return {
    isClosed: () => isClosed,
    write: (text) =>
      new Promise((resolve) => {
        if (isClosed || output.destroyed === true) return resolve();
        pending += 1;
        const hasRoom = output.write(text, (error) => {
          pending -= 1;
          if (error) close();
          if (pending === 0) wakeFlush?.();
        });
        if (hasRoom) return resolve();
        const go = () => {
          output.off("drain", go);
          output.off("close", go);
          output.off("error", go);
          resolve();
        };
        output.once("drain", go);
        output.once("close", go);
        output.once("error", go);
      }),
    flush: () =>
      new Promise((resolve) => {
        if (pending === 0 || isClosed) return resolve();
        wakeFlush = resolve;
      }),
  };
};
