// How a file's bytes are text: found from the bytes alone, decoded without loss, encoded again only where it fits.
import { isUtf8 } from "node:buffer";

export interface Encoding {
  name: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "bytes";
  /** Byte-order mark at the start of the file; not part of the text. */
  bom: Buffer;
  /** Text of bytes without the mark. Lossless: `encode(decode(bytes))` gives the bytes back. */
  decode(bytes: Buffer): string;
  /** Bytes of a text; undefined when this encoding cannot hold it. */
  encode(text: string): Buffer | undefined;
  /** Text as a model would write it, in the form that `decode` gives (differs for "bytes" only). */
  needle(text: string): string;
  /** Number of bytes of a decoded piece. */
  byteLength(piece: string): number;
}

const noBom = Buffer.alloc(0);
const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

const utf8 = (bom: Buffer): Encoding => ({
  name: "utf-8",
  bom,
  decode: (bytes) => bytes.toString("utf8"),
  encode: (text) => (text.isWellFormed() ? Buffer.from(text, "utf8") : undefined),
  needle: (text) => text,
  byteLength: (piece) => Buffer.byteLength(piece, "utf8"),
});

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

const utf16 = (name: "utf-16le" | "utf-16be"): Encoding => ({
  name,
  bom: Buffer.from(name === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff]),
  decode: (bytes) => (name === "utf-16le" ? bytes : swapped(bytes)).toString("utf16le"),
  encode: (text) => {
    const bytes = Buffer.from(text, "utf16le");
    return name === "utf-16le" ? bytes : swapped(bytes);
  },
  needle: (text) => text,
  byteLength: (piece) => piece.length * 2,
});

/** Windows-1252 gives every byte a character, so it shows any single-byte file without loss. */
const windows1252 = (): Encoding => {
  const table = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map([...table].map((char, byte) => [char, byte]));
  return {
    name: "windows-1252",
    bom: noBom,
    decode: (bytes) => new TextDecoder("windows-1252").decode(bytes),
    encode: (text) => {
      const bytes = [...text].map((char) => byteOf.get(char));
      return bytes.includes(undefined) ? undefined : Buffer.from(bytes as number[]);
    },
    needle: (text) => text,
    byteLength: (piece) => piece.length,
  };
};

/** UTF-8 with damaged places: matched byte by byte, one character a byte. */
const rawBytes: Encoding = {
  name: "bytes",
  bom: noBom,
  decode: (bytes) => bytes.toString("latin1"),
  encode: (text) => (/^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, "latin1") : undefined),
  needle: (text) => Buffer.from(text, "utf8").toString("latin1"),
  byteLength: (piece) => piece.length,
};

/** The encoding of a file's content. Never fails: what is not Unicode is a single-byte encoding or plain bytes. */
export const detectEncoding = (bytes: Buffer): Encoding => {
  if (bytes.subarray(0, 3).equals(utf8Bom) && isUtf8(bytes.subarray(3))) return utf8(utf8Bom);
  if (bytes.length % 2 === 0 && bytes[0] === 0xff && bytes[1] === 0xfe) return utf16("utf-16le");
  if (bytes.length % 2 === 0 && bytes[0] === 0xfe && bytes[1] === 0xff) return utf16("utf-16be");
  if (isUtf8(bytes)) return utf8(noBom);
  return looksLikeDamagedUtf8(bytes) ? rawBytes : windows1252();
};

/** Text of a file for people and models: without the mark, damaged places as U+FFFD. */
export const readableText = (bytes: Buffer, encoding = detectEncoding(bytes)): string => {
  const body = bytes.subarray(encoding.bom.length);
  return encoding.name === "bytes" ? body.toString("utf8") : encoding.decode(body);
};

/** More whole multi-byte characters than stray bytes: UTF-8 that something cut or damaged. */
const looksLikeDamagedUtf8 = (bytes: Buffer): boolean => {
  let whole = 0;
  let stray = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    if (length > 0 && isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length) {
      whole++;
      at += length - 1;
    } else stray++;
  }
  return whole > stray;
};

const binaryProbe = 8000; // as far as git looks

/** A NUL among the first bytes of something that is not UTF-16: not text. */
export const isBinary = (bytes: Buffer): boolean =>
  !detectEncoding(bytes).name.startsWith("utf-16") && bytes.subarray(0, binaryProbe).includes(0);
