// Finds the session that --resume or /resume names: by id anywhere, or by its exact title.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { configDir, type Env, projectDir } from "../platform/paths.js";
import { type ListedSession, listSessions, peekSession } from "./list.js";

export type FoundSession =
  | { kind: "found"; session: ListedSession }
  /** Several sessions have this title: let the person choose. */
  | { kind: "ambiguous"; sessions: ListedSession[] }
  | { kind: "none" };

export interface FindOptions {
  env: Env;
  cwd: string;
  /** Other worktrees of the same repository. */
  worktrees?: readonly string[];
}

/**
 * Looks in the current project, then in its worktrees, then in every project. An id wins over a title. Never throws.
 */
export const findSession = async (idOrTitle: string, options: FindOptions): Promise<FoundSession> => {
  const near = [options.cwd, ...(options.worktrees ?? [])].map((folder) => projectDir(options.env, folder));
  const all = [...near, ...(await otherProjects(options.env, near))];
  if (isFileStem(idOrTitle)) {
    for (const folder of all) {
      const session = await peekSession(join(folder, `${idOrTitle}.jsonl`));
      if (session !== undefined) return { kind: "found", session };
    }
  }
  const indexDir = join(configDir(options.env), "cache", "sessions");
  const rings = [near.slice(0, 1), near.slice(1), all.slice(near.length)];
  for (const ring of rings) {
    const sessions: ListedSession[] = [];
    for (const folder of ring) {
      const rows = await listSessions({ projectDir: folder, includeHeadless: true, indexDir });
      sessions.push(...rows.filter(({ name, title }) => (name ?? title) === idOrTitle));
    }
    if (sessions.length > 1) return { kind: "ambiguous", sessions };
    if (sessions[0] !== undefined) return { kind: "found", session: sessions[0] };
  }
  return { kind: "none" };
};

/** Ids become file names: nothing in them may leave the folder. */
const isFileStem = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text);

const otherProjects = async (env: Env, near: readonly string[]): Promise<string[]> => {
  const root = join(configDir(env), "projects");
  const names = await readdir(root).catch(() => []); // no project yet
  return names.map((name) => join(root, name)).filter((folder) => !near.includes(folder));
};
