// An edit on its way from the model's words to bytes on disk: what the checks know and find out.
import type { FileKind } from "../../platform/fs.js";
import type { FileState } from "../shared/file-state.js";
import type { Encoding } from "../shared/text-encoding.js";
import type { Match, Replacement } from "./match.js";

export interface EditDraft {
  /** Absolute, as written. */
  path: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
  fileState: FileState;
  /** Where the path lands, links followed. */
  landing: string;
  kind: FileKind;
  /** Filled by the checks, in their order. */
  bytes: Buffer;
  encoding: Encoding;
  /** The file's text without the byte-order mark. */
  text: string;
  places: Match[];
  replacements: Replacement[];
  /** The file's text afterwards. */
  newText: string;
  newBytes: Buffer;
}

/** Looks at a draft and fills in what it finds. A string refuses the edit; the model reads it. */
export type EditCheck = (draft: EditDraft) => Promise<string | undefined>;

/** Bytes of the file after the replacements: all others are the very bytes that were there. Undefined: a text does not fit the encoding. */
export const spliceBytes = (
  bytes: Buffer,
  text: string,
  encoding: Encoding,
  replacements: readonly Replacement[],
): Buffer | undefined => {
  const parts: Buffer[] = [bytes.subarray(0, encoding.bom.length)];
  let at = 0;
  let byteAt = encoding.bom.length;
  for (const { start, end, insert } of replacements) {
    const startByte = byteAt + encoding.byteLength(text.slice(at, start));
    const inserted = encoding.encode(insert);
    if (!inserted) return undefined;
    parts.push(bytes.subarray(byteAt, startByte), inserted);
    byteAt = startByte + encoding.byteLength(text.slice(start, end));
    at = end;
  }
  parts.push(bytes.subarray(byteAt));
  return Buffer.concat(parts);
};
