// While the screen is ours, nothing else may print: console and stderr go to a log.
import { Console } from "node:console";
import { Writable } from "node:stream";

/** Patches `console.*`, process.stderr and process.stdout; returns the function that undoes it. */
export const patchConsole = (log: (text: string) => void): (() => void) => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log(String(chunk));
      done();
    },
  });
  const quiet = new Console({ stdout: sink, stderr: sink, colorMode: false });
  const originals = { ...console };
  const methods = ["log", "info", "debug", "warn", "error", "trace", "dir", "table", "group", "groupEnd"] as const;
  for (const method of methods) Object.assign(console, { [method]: quiet[method].bind(quiet) });

  const streams = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write;
    stream.write = ((chunk: unknown, encodingOrDone?: unknown, done?: unknown) => {
      log(String(chunk));
      const callback = typeof encodingOrDone === "function" ? encodingOrDone : done;
      if (typeof callback === "function") callback();
      return true;
    }) as typeof stream.write;
    return { stream, write };
  });

  return () => {
    for (const method of methods) Object.assign(console, { [method]: originals[method] });
    for (const { stream, write } of streams) stream.write = write;
  };
};
