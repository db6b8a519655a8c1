// Prepares an edit (all checks) and writes it.
import { readBytes } from "../../platform/fs.js";
import { writeFailure, writeFileWhole } from "../../platform/write-file.js";
import type { FileState } from "../shared/file-state.js";
import { noteRead, recordOf } from "../shared/read-state.js";
import { detectEncoding } from "../shared/text-encoding.js";
import { editChecks } from "./checks.js";
import type { EditDraft } from "./draft.js";

export interface EditRequest {
  /** Absolute. */
  path: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
  fileState: FileState;
}

/** Runs the checks. A string is the refusal. Writes nothing. */
export const prepareEdit = async (request: EditRequest): Promise<EditDraft | string> => {
  const nothing = Buffer.alloc(0);
  const draft: EditDraft = {
    ...request,
    landing: request.path,
    kind: "missing",
    bytes: nothing,
    encoding: detectEncoding(nothing),
    text: "",
    places: [],
    replacements: [],
    newText: "",
    newBytes: nothing,
  };
  for (const check of editChecks) {
    const refusal = await check(draft);
    if (refusal !== undefined) return refusal;
  }
  return draft;
};

/** Writes a prepared edit and verifies it. A string says why it failed; the earlier content is intact then. */
export const writeEdit = async (draft: EditDraft): Promise<string | undefined> => {
  try {
    const written = await writeFileWhole(draft.path, draft.newBytes, { landing: draft.landing });
    const now = await readBytes(written.path);
    if (!now.bytes.equals(draft.newBytes)) {
      return `${draft.path} was written, but another program changed it at once. Read it again.`;
    }
    const record = await recordOf(draft.fileState, draft.landing);
    const extent = record?.extent === "part" ? "part" : "whole";
    const { movedCells } = record ?? {};
    noteRead(draft.fileState, written.path, { bytes: now.bytes, mtimeMs: now.mtimeMs, extent, movedCells });
    return undefined;
  } catch (error) {
    return `${writeFailure(draft.path, error)} Its content is unchanged.`;
  }
};
