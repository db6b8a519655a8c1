// Reads a window of lines from a text file of any size in bounded memory, and knows the whole file's hash afterwards.
import { createHash } from "node:crypto";
import { FileProblem, formatBytes, type OpenedFile, openFile } from "../../platform/fs.js";
import type { FileState, ReadRecord } from "./file-state.js";
import { splitLines } from "./numbering.js";
import { noteRead } from "./read-state.js";
import { detectEncoding, type Encoding, isBinary, readableText } from "./text-encoding.js";

export interface TextPage {
  lines: string[];
  startLine: number;
  totalLines: number;
  /** Bytes of the file. */
  size: number;
  /** Lines that were cut because of their length. */
  cutLines: number;
  encoding: Encoding["name"];
  /** Every line is shown uncut. */
  isComplete: boolean;
  /** Every line is shown, some cut. */
  isWhole: boolean;
  /** Notes in the file state that the model has seen this. */
  note(state: FileState, extent: ReadRecord["extent"]): void;
}

interface PageOptions {
  /** 1-based. */
  startLine: number;
  maxLines: number;
  maxChars: number;
  signal: AbortSignal;
}

const wholeLimit = 16 * 1024 * 1024; // up to here the file is read at once, above line by line
const maxLineChars = 2000;
const keptLineBytes = maxLineChars * 4;

/** Reads lines of the file. Throws FileProblem: missing, directory, device, binary, unreadable. */
export const readTextPage = async (path: string, options: PageOptions): Promise<TextPage> => {
  const file = await openFile(path);
  try {
    return file.size <= wholeLimit ? await readAtOnce(file, options) : await readByLine(file, options);
  } finally {
    await file.handle.close();
  }
};

const readAtOnce = async (file: OpenedFile, options: PageOptions): Promise<TextPage> => {
  const bytes = await file.handle.readFile();
  refuseBinary(file.path, bytes);
  const encoding = detectEncoding(bytes);
  const all = splitLines(readableText(bytes, encoding));
  const page = fill(
    all.slice(options.startLine - 1, options.startLine - 1 + options.maxLines).map((line) => cutLine(line)),
    options,
  );
  return finish(
    page,
    { ...options, totalLines: all.length, size: bytes.length, encoding: encoding.name },
    (state, extent) => noteRead(state, file.path, { bytes, mtimeMs: file.mtimeMs, extent }),
  );
};

/** Streams a huge file: counts lines and hashes all of it, keeps the wanted ones. */
const readByLine = async (file: OpenedFile, options: PageOptions): Promise<TextPage> => {
  const hash = createHash("sha256");
  const wanted: Line[] = [];
  let line = 1;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let size = 0;
  const isWanted = () => line >= options.startLine && wanted.length < options.maxLines;
  const endLine = () => {
    if (isWanted()) wanted.push(cutLine(textOf(pending), pendingBytes > keptLineBytes ? pendingBytes : undefined));
    line++;
    pending = [];
    pendingBytes = 0;
  };
  for await (const chunk of file.handle.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
    options.signal.throwIfAborted();
    const bytes = chunk as Buffer;
    if (size === 0) refuseBinary(file.path, bytes);
    hash.update(bytes);
    size += bytes.length;
    let from = 0;
    for (let at = bytes.indexOf(0x0a); ; at = bytes.indexOf(0x0a, from)) {
      const piece = bytes.subarray(from, at < 0 ? bytes.length : at);
      if (isWanted() && pendingBytes < keptLineBytes) pending.push(Buffer.from(piece.subarray(0, keptLineBytes)));
      pendingBytes += piece.length;
      if (at < 0) break;
      endLine();
      from = at + 1;
    }
  }
  if (pendingBytes > 0) endLine();
  const digest = hash.digest("hex");
  const record = { hash: digest, mtimeMs: file.mtimeMs };
  return finish(fill(wanted, options), { ...options, totalLines: line - 1, size, encoding: "utf-8" }, (state, extent) =>
    state.set(file.path, { ...record, extent }),
  );
};

const textOf = (parts: Buffer[]): string => Buffer.concat(parts).toString("utf8").replace(/\r$/, "");

interface Line {
  text: string;
  isCut: boolean;
}

/** `bytes`: real length of a line of which only the start was kept. */
const cutLine = (text: string, bytes?: number): Line => {
  if (text.length <= maxLineChars && bytes === undefined) return { text, isCut: false };
  const start = text.slice(0, maxLineChars).replace(/[\ud800-\udbff]$/, "");
  const length = bytes === undefined ? `${text.length} characters` : formatBytes(bytes);
  return { text: `${start}… [line cut here: ${length} in all]`, isCut: true };
};

/** Takes lines until the character limit; always at least one. */
const fill = (lines: readonly Line[], { maxChars }: PageOptions): Line[] => {
  let chars = 0;
  const taken: Line[] = [];
  for (const line of lines) {
    chars += line.text.length + 7; // number, tab, line end
    if (chars > maxChars && taken.length > 0) break;
    taken.push(line);
  }
  return taken;
};

type Facts = Pick<TextPage, "startLine" | "totalLines" | "size" | "encoding">;

const finish = (taken: readonly Line[], facts: Facts, note: TextPage["note"]): TextPage => {
  const cutLines = taken.filter(({ isCut }) => isCut).length;
  const isWhole = facts.startLine === 1 && taken.length === facts.totalLines;
  return {
    lines: taken.map(({ text }) => text),
    startLine: facts.startLine,
    totalLines: facts.totalLines,
    size: facts.size,
    encoding: facts.encoding,
    cutLines,
    isWhole,
    isComplete: isWhole && cutLines === 0,
    note,
  };
};

const signatures: [string, RegExp][] = [
  ["a PNG image", /^\x89PNG/],
  ["a JPEG image", /^\xff\xd8\xff/],
  ["a GIF image", /^GIF8[79]a/],
  ["a WebP image", /^RIFF....WEBP/s],
  ["a PDF document", /^%PDF-/],
  ["a zip archive (or a document in one)", /^PK\x03\x04/],
  ["a gzip archive", /^\x1f\x8b/],
  ["an SQLite database", /^SQLite format 3/],
  ["a program", /^(\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ)/],
];

/** Throws for content that is not text, naming what it is. */
const refuseBinary = (path: string, bytes: Buffer): void => {
  const start = bytes.subarray(0, 16).toString("latin1");
  const known = signatures.find(([, shape]) => shape.test(start))?.[0];
  if (!isBinary(bytes) && !/PDF/.test(known ?? "")) return;
  const what = known ?? "a binary file";
  throw new FileProblem(
    "unreadable",
    path,
    `${path} is ${what}, not text. Inspect it with a fitting program in Bash (file, od, strings …).`,
  );
};
