// The state file (~/.claude.json): read with tolerance, changed under a lock by re-reading, merging and one atomic rename.
import { mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeFileWhole } from "../platform/write-file.js";
import { decodeText } from "./jsonc.js";
import { withFileLock } from "./lock.js";

export type StateData = Record<string, unknown>;

export interface StateFile {
  /** `.claude.json` in the home folder or the configured one. */
  file: string;
  /** Settings folder; backups lie in `backups/` below it. */
  configDir: string;
}

const keptBackups = 5;
const backupAgeMs = 60 * 60 * 1000; // one backup an hour is enough to go back to

const isObject = (value: unknown): value is StateData =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (bytes: Buffer): StateData | undefined => {
  try {
    const value: unknown = JSON.parse(decodeText(bytes) ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller falls back to a backup
  }
};

const readBytes = async (file: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The state file ${file} cannot be read: ${(error as Error).message}`);
  }
};

const backupDir = ({ configDir }: StateFile): string => join(configDir, "backups");

/** Backups, newest first. */
const backupsOf = async (state: StateFile): Promise<string[]> => {
  const prefix = `${basename(state.file)}.backup.`;
  const names = await readdir(backupDir(state)).catch(() => []); // no backup yet
  return names
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(backupDir(state), name));
};

const newestReadableBackup = async (state: StateFile): Promise<StateData | undefined> => {
  for (const file of await backupsOf(state)) {
    const data = parse(await readFile(file));
    if (data) return data;
  }
  return undefined;
};

interface ReadState {
  data: StateData;
  /** What was wrong, for a notice. */
  problem?: string;
  /** Bytes that could not be parsed and are to be kept aside. */
  corrupted?: Buffer;
}

const read = async (state: StateFile): Promise<ReadState> => {
  const bytes = await readBytes(state.file);
  if (!bytes || bytes.length === 0) return { data: {} };
  const data = parse(bytes);
  if (data) return { data };
  const backup = await newestReadableBackup(state);
  const next = backup ? "its last backup is used" : "it starts empty";
  return {
    data: backup ?? {},
    corrupted: bytes,
    problem: `${state.file} is not readable JSON; ${next}, and a copy is kept in ${backupDir(state)}`,
  };
};

/** Reads the state. Bad JSON gives the newest backup and a problem; it never throws for content. */
export const readState = async (state: StateFile): Promise<{ data: StateData; problem?: string }> => {
  const { data, problem } = await read(state);
  return problem ? { data, problem } : { data };
};

const makeBackup = async (state: StateFile, bytes: Buffer, nowMs: number): Promise<void> => {
  const old = await backupsOf(state);
  // Names carry the time, so a copied or touched file does not count as new.
  const newest = old[0] === undefined ? undefined : Number(old[0].slice(old[0].lastIndexOf(".") + 1));
  if (newest !== undefined && nowMs - newest < backupAgeMs) return;
  await mkdir(backupDir(state), { recursive: true, mode: 0o700 });
  await writeFile(join(backupDir(state), `${basename(state.file)}.backup.${nowMs}`), bytes, { mode: 0o600 });
  for (const file of old.slice(keptBackups - 1)) await unlink(file).catch(() => {}); // another process was faster
};

/**
 * Changes the state: `change` gets what is on disk now and edits it in place, keys it does not touch stay as they are.
 * Throws when the file cannot be read, locked or written.
 */
export const updateState = async (
  state: StateFile,
  change: (data: StateData) => void,
  nowMs: number = Date.now(),
): Promise<StateData> =>
  withFileLock(state.file, async () => {
    const { data, corrupted } = await read(state);
    if (corrupted) {
      await mkdir(backupDir(state), { recursive: true, mode: 0o700 });
      await writeFile(join(backupDir(state), `${basename(state.file)}.corrupted.${nowMs}`), corrupted, { mode: 0o600 });
    } else {
      const bytes = await readBytes(state.file);
      if (bytes && bytes.length > 0) await makeBackup(state, bytes, nowMs);
    }
    change(data);
    await mkdir(dirname(state.file), { recursive: true });
    await writeFileWhole(state.file, Buffer.from(`${JSON.stringify(data, null, 2)}\n`), { mode: 0o600 });
    return data;
  });

/** The entry of one project, empty when it is missing or not an object. */
export const projectEntry = (data: StateData, folder: string): StateData => {
  const projects = data.projects;
  const entry = isObject(projects) && Object.hasOwn(projects, folder) ? projects[folder] : undefined;
  return isObject(entry) ? entry : {};
};

/** Sets members of one project's entry, making what is missing or of the wrong type. */
export const changeProjectEntry = (data: StateData, folder: string, members: StateData): void => {
  const projects = isObject(data.projects) ? data.projects : {};
  data.projects = { ...projects, [folder]: { ...projectEntry(data, folder), ...members } };
};
