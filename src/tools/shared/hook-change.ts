// A hook may change the file that a call has just written (formatters do): the model is told, and the next edit works.
import { landingPath, readBytes } from "../../platform/fs.js";
import type { ToolContext } from "../tool.js";
import { diffHunks, diffText } from "./diff.js";
import { absolutePath } from "./paths.js";
import { hashOf, noteRead, recordOf, snapshotOf } from "./read-state.js";

const shownLines = 60;

/** What a hook changed in the file of this call, for the model; undefined when nothing. Never rejects. */
export const noteHookChange = async (
  input: Readonly<Record<string, unknown>>,
  context: Pick<ToolContext, "cwd" | "home" | "fileState">,
): Promise<string | undefined> => {
  const given = input.file_path ?? input.notebook_path;
  if (typeof given !== "string") return undefined;
  const path = absolutePath(given, context);
  const { fileState } = context;
  try {
    const landing = await landingPath(path);
    const known = await recordOf(fileState, path);
    if (!known) return undefined;
    const { bytes, mtimeMs } = await readBytes(landing);
    if (hashOf(bytes) === known.hash) return undefined;
    const before = snapshotOf(fileState, landing);
    noteRead(fileState, landing, { bytes, mtimeMs, extent: known.extent, movedCells: known.movedCells });
    const diff = before === undefined ? "" : diffText(await diffHunks(before, bytes.toString("utf8")), shownLines);
    const rest = diff === "" ? " Read it before you rely on its text." : ` What changed:\n${diff}`;
    return `A hook changed ${path} after this call. Go on from the file as it is now.${rest}`;
  } catch {
    return undefined; // the hook removed it or made it unreadable: the next call on it says so
  }
};
