// Reads small text files that may not be there: instructions, credentials.
import { readFile, realpath, stat } from "node:fs/promises";

export type TextFile =
  | { state: "ok"; realPath: string; text: string }
  | { state: "missing" }
  | { state: "skipped"; realPath: string; reason: string };

const utf16Marks = ["fffe", "feff"];

/**
 * A file's text without its byte-order mark. A file larger than `maxBytes`, in UTF-16 or unreadable is `skipped` with a reason;
 * one that does not exist, or is a folder, is `missing`. Never throws.
 */
export const readTextFile = async (path: string, maxBytes: number): Promise<TextFile> => {
  let realPath = path;
  try {
    realPath = await realpath(path);
    const { size, ...stats } = await stat(realPath).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!stats.isFile) return { state: "missing" };
    if (size > maxBytes) return { state: "skipped", realPath, reason: `larger than ${maxBytes} bytes` };
    const bytes = await readFile(realPath);
    if (utf16Marks.includes(bytes.subarray(0, 2).toString("hex"))) {
      return { state: "skipped", realPath, reason: "encoded in UTF-16; save it as UTF-8" };
    }
    return { state: "ok", realPath, text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
    return { state: "skipped", realPath, reason: code ?? String(error) };
  }
};
