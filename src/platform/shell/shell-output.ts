// Output of a command in bounded memory: its head and tail are kept, the whole goes to a file up to a limit.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export interface ShellOutput {
  add(bytes: Buffer): void;
  readonly totalBytes: number;
  /** How much of the beginning the file holds. */
  readonly storedBytes: number;
  /** Whole output, or head and tail with a line between them that says what is missing. */
  text(): string;
  /** The newest complete-looking lines, oldest first. */
  lastLines(count: number): string[];
  /** Lets the file grow further, unless it was cut already, and tells once when more than `totalBytes` were printed. */
  setLimits(limits: OutputLimits): void;
  close(): void;
}

export interface OutputLimits {
  fileBytes: number;
  totalBytes: number;
  onTooMuch: () => void;
}

const lineWindow = 4096; // bytes looked at for the newest lines
const maxLineChars = 400;

/**
 * Collects output. `keepBytes`: most that is held in memory. `maxFileBytes`: most that is written to `outputPath`,
 * which is created (mode 0600) with the first byte. A full disk ends the file, never the command.
 */
export const createShellOutput = (options: {
  outputPath: string;
  keepBytes: number;
  maxFileBytes: number;
}): ShellOutput => {
  const half = Math.floor(options.keepBytes / 2);
  const file = createSink(options.outputPath, options.maxFileBytes);
  const head: Buffer[] = [];
  let headBytes = 0;
  const tail = createTail(half);
  let totalBytes = 0;
  let limits: OutputLimits | undefined;
  const checkTotal = (): void => {
    if (!limits || totalBytes <= limits.totalBytes) return;
    const { onTooMuch } = limits;
    limits = undefined;
    onTooMuch();
  };
  return {
    add: (bytes) => {
      totalBytes += bytes.length;
      checkTotal();
      file.write(bytes);
      const room = Math.max(0, half - headBytes);
      if (room > 0) {
        const part = Buffer.from(bytes.subarray(0, room)); // a copy: the reader reuses its buffer
        head.push(part);
        headBytes += part.length;
      }
      if (bytes.length > room) tail.add(bytes.subarray(room));
    },
    get totalBytes() {
      return totalBytes;
    },
    get storedBytes() {
      return file.written();
    },
    text: () => {
      const start = Buffer.concat(head);
      const end = tail.bytes();
      const missing = totalBytes - start.length - end.length;
      if (missing === 0) return Buffer.concat([start, end]).toString("utf8");
      return `${cutEnd(start)}\n[… ${missing} bytes left out here …]\n${cutStart(end)}`;
    },
    lastLines: (count) => {
      const end = tail.bytes();
      const recent = (end.length > 0 ? end : Buffer.concat(head)).subarray(-lineWindow);
      return recent
        .toString("utf8")
        .split("\n")
        .map((line) => line.replace(/\r$/, "").slice(line.replace(/\r$/, "").lastIndexOf("\r") + 1)) // progress bars
        .filter((line) => line.trim() !== "")
        .slice(-count)
        .map((line) => line.slice(0, maxLineChars));
    },
    setLimits: (given) => {
      limits = given;
      file.raiseLimit(given.fileBytes);
      checkTotal();
    },
    close: file.close,
  };
};

/** The last `size` bytes of a stream. */
const createTail = (size: number) => {
  let ring: Buffer | undefined;
  let at = 0;
  let filled = 0;
  return {
    add: (bytes: Buffer) => {
      ring ??= Buffer.alloc(size);
      const part = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
      const first = Math.min(part.length, size - at);
      part.copy(ring, at, 0, first);
      part.copy(ring, 0, first);
      at = (at + part.length) % size;
      filled = Math.min(size, filled + part.length);
    },
    bytes: (): Buffer => {
      if (!ring) return Buffer.alloc(0);
      if (filled < size) return Buffer.from(ring.subarray(0, filled));
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
  };
};

const createSink = (path: string, firstLimit: number) => {
  let maxBytes = firstLimit;
  let fd: number | undefined;
  let isOpen = true;
  let written = 0;
  const close = () => {
    isOpen = false;
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  return {
    write: (bytes: Buffer) => {
      if (!isOpen) return;
      try {
        if (fd === undefined) {
          mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
          fd = openSync(path, "w", 0o600);
        }
        const part = bytes.subarray(0, maxBytes - written);
        for (let at = 0; at < part.length; ) at += writeSync(fd, part, at);
        written += part.length;
        if (written >= maxBytes && bytes.length > part.length) close();
      } catch {
        close(); // no room or no rights: head and tail are still there
      }
    },
    written: () => written,
    raiseLimit: (limit: number) => {
      maxBytes = Math.max(maxBytes, limit);
    },
    close,
  };
};

const cutWindow = 2000; // look this far for a line end before cutting inside a line

/** Without a half line (or half character) at its end. */
const cutEnd = (bytes: Buffer): string => {
  const at = bytes.lastIndexOf(0x0a);
  if (at >= bytes.length - cutWindow && at > 0) return bytes.subarray(0, at).toString("utf8");
  return bytes.toString("utf8").replace(/\uFFFD+$/, "");
};

/** Without a half line (or half character) at its start. */
const cutStart = (bytes: Buffer): string => {
  const at = bytes.indexOf(0x0a);
  if (at >= 0 && at <= cutWindow) return bytes.subarray(at + 1).toString("utf8");
  return bytes.toString("utf8").replace(/^\uFFFD+/, "");
};
