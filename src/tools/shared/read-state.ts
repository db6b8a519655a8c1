// Reads and changes the record of what the model has seen, by the path a file really has.
import { createHash } from "node:crypto";
import { landingPath } from "../../platform/fs.js";
import type { FileState, ReadRecord } from "./file-state.js";

/** Name of a content. */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const snapshotBytes = 100 * 1024; // longer files are described by their hash alone
const maxSnapshots = 30;

/** What the newest small files looked like when they were read: lets an error say what changed since. */
const snapshots = new WeakMap<FileState, Map<string, string>>();

/** Notes that the model knows the content of `path` (links resolved). */
export const noteRead = (
  state: FileState,
  path: string,
  file: { bytes: Buffer; mtimeMs: number; extent: ReadRecord["extent"]; movedCells?: readonly number[] },
): void => {
  const moved = file.movedCells?.length ? { movedCells: file.movedCells } : {};
  state.set(path, { hash: hashOf(file.bytes), mtimeMs: file.mtimeMs, extent: file.extent, ...moved });
  const kept = snapshots.get(state) ?? new Map<string, string>();
  snapshots.set(state, kept);
  kept.delete(path);
  if (file.bytes.length <= snapshotBytes) kept.set(path, file.bytes.toString("utf8"));
  const oldest = kept.keys().next().value;
  if (kept.size > maxSnapshots && oldest !== undefined) kept.delete(oldest);
};

/** What was noted for the file that `path` leads to. */
export const recordOf = async (state: FileState, path: string): Promise<ReadRecord | undefined> =>
  state.get(await landingPath(path)) ?? state.get(path);

/** The text that was noted, if it was short and recent enough to be kept. */
export const snapshotOf = (state: FileState, path: string): string | undefined => snapshots.get(state)?.get(path);
