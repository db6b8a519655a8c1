// What is old enough to be deleted: sessions and what belongs to them, plans, pasted texts, logs. Tells first, deletes
// at a later start. Memory and prompt history are never touched, links are never followed.
import type { Stats } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeFileWhole } from "../platform/write-file.js";
import { lockSession } from "./lock.js";
import { liveSessions } from "./registry.js";

const dayMs = 24 * 60 * 60 * 1000;
/** Between telling and deleting: time to save what is wanted. */
const noticeMs = dayMs;
/** Told together with what is due: so that there is one notice in a week and not one a day. */
const aheadMs = 7 * dayMs;

/** Starts that follow each other closely do not look again. */
const everyMs = 6 * 60 * 60 * 1000;

/** One thing that is kept or deleted as a whole. */
export interface OldThing {
  kind: "session" | "file";
  /** The path that names it: the transcript, the folder or the file. */
  path: string;
  /** All that goes with it, `path` among them. */
  paths: string[];
  /** When it was last used, ms since the epoch. */
  usedAt: number;
  /** Set where a lock guards it. */
  session?: { projectDir: string; id: string };
}

export interface RetentionPlaces {
  configDir: string;
  /** Folders of temporary output, by project and session; none: not swept. */
  tmpRoot?: string;
}

export interface RetentionOptions extends RetentionPlaces {
  days: number;
  now: number;
  /** Sessions that must stay whatever their age. */
  keep: ReadonlySet<string>;
}

export interface Sweep {
  /** Told for the first time; deleted from `from` on unless they are used. */
  announced: { sessions: number; files: number; from: number } | undefined;
  deleted: { sessions: number; files: number };
}

const statsOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined); // gone meanwhile
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []); // there is none

/** Newest change of a file, or of a folder and what lies in it; undefined for links and what is gone. */
const usedAt = async (path: string, depth = 3): Promise<number | undefined> => {
  const stats = await statsOf(path);
  if (!stats || stats.isSymbolicLink()) return undefined;
  if (!stats.isDirectory() || depth === 0) return stats.mtimeMs;
  let newest = stats.mtimeMs;
  for (const name of await namesIn(path)) newest = Math.max(newest, (await usedAt(join(path, name), depth - 1)) ?? 0);
  return newest;
};

const isSessionId = (name: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(name);

/** Folders of other rooms that are named by a session. */
const sessionFolders = ["file-history", "session-env", "image-cache", "tasks"];

/** Sessions of one project: transcripts with all that carries their id, and folders whose transcript is gone. */
const sessionsOf = async (projectDir: string, { configDir, tmpRoot }: RetentionPlaces): Promise<OldThing[]> => {
  const names = await namesIn(projectDir);
  const ids = new Set(
    names.flatMap((name) => (name.endsWith(".jsonl") ? [basename(name, ".jsonl")] : isSessionId(name) ? [name] : [])),
  );
  const things: OldThing[] = [];
  for (const id of ids) {
    const path = join(projectDir, `${id}.jsonl`);
    const own = [path, join(projectDir, id), ...sessionFolders.map((folder) => join(configDir, folder, id))];
    if (tmpRoot !== undefined) own.push(join(tmpRoot, basename(projectDir), id));
    const ages = await Promise.all(own.map((one) => usedAt(one)));
    const paths = own.filter((_, at) => ages[at] !== undefined);
    if (paths.length === 0) continue;
    const used = Math.max(...ages.map((age) => age ?? 0));
    things.push({ kind: "session", path, paths, usedAt: used, session: { projectDir, id } });
  }
  return things;
};

/** Single files and folders that age on their own. */
const loneFolders = ["plans", "drafts", "paste-cache", "debug", "shell-snapshots", "todos", ...sessionFolders];

const loneThings = async (configDir: string, claimed: ReadonlySet<string>): Promise<OldThing[]> => {
  const things: OldThing[] = [];
  for (const folder of loneFolders) {
    const root = join(configDir, folder);
    if ((await statsOf(root))?.isDirectory() !== true) continue;
    for (const name of await namesIn(root)) {
      const path = join(root, name);
      const used = claimed.has(path) ? undefined : await usedAt(path);
      if (used !== undefined) things.push({ kind: "file", path, paths: [path], usedAt: used });
    }
  }
  return things;
};

/** Everything that ages, with when it was used last. */
export const agingThings = async (places: RetentionPlaces): Promise<OldThing[]> => {
  const projects = join(places.configDir, "projects");
  const sessions: OldThing[] = [];
  for (const name of await namesIn(projects)) {
    const folder = join(projects, name);
    if ((await statsOf(folder))?.isDirectory()) sessions.push(...(await sessionsOf(folder, places)));
  }
  const claimed = new Set(sessions.flatMap(({ paths }) => paths));
  return [...sessions, ...(await loneThings(places.configDir, claimed))];
};

const noteFile = (configDir: string): string => join(configDir, "cache", "retention.json");

interface Note {
  /** When each thing was told, by its path. */
  told: Map<string, number>;
  sweptAt: number;
}

/** A note that cannot be read counts as: nothing was told. */
const readNote = async (configDir: string): Promise<Note> => {
  try {
    const value = JSON.parse(await readFile(noteFile(configDir), "utf8")) as { told?: object; sweptAt?: unknown };
    const entries = Object.entries(value.told ?? {});
    return {
      told: new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number")),
      sweptAt: typeof value.sweptAt === "number" ? value.sweptAt : 0,
    };
  } catch {
    return { told: new Map(), sweptAt: 0 };
  }
};

const nothing: Sweep = { announced: undefined, deleted: { sessions: 0, files: 0 } };

/** Deletes one thing; false when it is in use or cannot be deleted. */
const remove = async ({ paths, session }: OldThing): Promise<boolean> => {
  try {
    const outcome = session && lockSession(session.projectDir, session.id);
    if (outcome?.kind === "held") return false;
    try {
      for (const path of paths) await rm(path, { recursive: true, force: true });
    } finally {
      outcome?.lock.release();
    }
    return true;
  } catch {
    return false; // a folder that may not be written: the next start tries again
  }
};

const count = (things: readonly OldThing[]) => ({
  sessions: things.filter(({ kind }) => kind === "session").length,
  files: things.filter(({ kind }) => kind === "file").length,
});

/**
 * Deletes what is older than `days` and was told at an earlier start at least a day ago; tells of what is due and was
 * not told, together with what becomes due in the week to come. The caller must show what `announced` says.
 */
export const sweep = async ({ days, now, keep, ...places }: RetentionOptions): Promise<Sweep> => {
  const { told, sweptAt } = await readNote(places.configDir);
  if (now >= sweptAt && now - sweptAt < everyMs) return nothing;
  const open = new Set(liveSessions(join(places.configDir, "sessions")).map(({ sessionId }) => sessionId));
  const things = (await agingThings(places)).filter(
    ({ session, path }) => !isKept(session?.id ?? basename(path), keep, open),
  );
  const isOlder = (ms: number) => (thing: OldThing) => now - thing.usedAt >= ms;
  const due = things.filter(isOlder(days * dayMs));
  const doomed = due.filter(({ path }) => now - (told.get(path) ?? now) >= noticeMs);
  const deleted: OldThing[] = [];
  for (const thing of doomed) if (await remove(thing)) deleted.push(thing);
  const gone = new Set(deleted.map(({ path }) => path));
  const isNews = due.some(({ path }) => !told.has(path));
  const ahead = Math.min(aheadMs, (days * dayMs) / 2);
  const news = isNews ? things.filter(isOlder(days * dayMs - ahead)).filter(({ path }) => !told.has(path)) : [];
  const stillOld = things.filter(isOlder(days * dayMs - ahead)).filter(({ path }) => told.has(path) && !gone.has(path));
  // What was used meanwhile is forgotten: should it grow old again, it is told again.
  const next = new Map([
    ...stillOld.map(({ path }) => [path, told.get(path)!] as const),
    ...news.map(({ path }) => [path, now] as const),
  ]);
  const note = JSON.stringify({ sweptAt: now, told: Object.fromEntries(next) });
  await writeFileWhole(noteFile(places.configDir), Buffer.from(note), { mode: 0o600 });
  return {
    announced: news.length === 0 ? undefined : { ...count(news), from: now + noticeMs },
    deleted: count(deleted),
  };
};

const isKept = (id: string, keep: ReadonlySet<string>, open: ReadonlySet<string>): boolean =>
  keep.has(id) || open.has(id);

/** The sessions of one project folder with all that is theirs on disk: for `claude project purge`. */
export const projectSessions = async (projectDir: string, places: RetentionPlaces): Promise<OldThing[]> =>
  (await statsOf(projectDir))?.isDirectory() ? sessionsOf(projectDir, places) : [];

/** Deletes a session with all that is its; false when a process has it open or the disk refuses. */
export const removeSession = remove;
