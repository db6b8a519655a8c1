// Earlier sessions for the picker: of this folder, of all checkouts of the repository, or of all projects.
import { statSync, utimesSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Emit } from "../execution/context.js";
import { projectDir, projectSlug } from "../platform/paths.js";
import type { Picker, SessionRow, SessionScope } from "../protocol/pickers.js";
import { findSession } from "../sessions/find.js";
import { LineFile } from "../sessions/line-file.js";
import { type ListedSession, listSessions, listSome } from "../sessions/list.js";
import { lockSession } from "../sessions/lock.js";
import { liveSessions } from "../sessions/registry.js";
import { gitRoot } from "../settings/project.js";
import { otherWorktrees } from "./load-session.js";
import { publish, type Session } from "./session.js";
import { cleanName, renameSession } from "./session-commands.js";

type SessionsPicker = Extract<Picker, { kind: "sessions" }>;

interface Ring {
  projectDir: string;
  isWanted: (row: ListedSession) => boolean;
}

/** Where the small index files of the lists lie. */
const sessionIndexDir = ({ places }: Pick<Session, "places">): string => join(places.configDir, "cache", "sessions");

/** Folders of all checkouts of the repository around the session, the session's own among them. */
const repositoryRoots = async (session: Session): Promise<string[]> => {
  const { cwd } = session.options;
  const [own, others] = await Promise.all([gitRoot(cwd), otherWorktrees(session)]);
  return [own ?? cwd, ...others];
};

const isInside = (folder: string, root: string): boolean => folder === root || folder.startsWith(`${root}/`);

const ringsOf = async (session: Session, scope: SessionScope, roots: readonly string[]): Promise<Ring[]> => {
  const { options, places } = session;
  if (scope === "project") return [{ projectDir: places.projectDir, isWanted: () => true }];
  const all = join(places.configDir, "projects");
  const names = await readdir(all).catch(() => []); // nothing was ever kept
  if (scope === "all") return names.map((name) => ({ projectDir: join(all, name), isWanted: () => true }));
  const slugs = roots.map(projectSlug);
  const near = names.filter((name) => slugs.some((slug) => name === slug || name.startsWith(`${slug}-`)));
  const own = basename(projectDir(options.env, options.cwd));
  return [...new Set([own, ...near])].map((name) => ({
    projectDir: join(all, name),
    isWanted: ({ cwd }) => cwd === "" || roots.some((root) => isInside(cwd, root)),
  }));
};

/** How a shell goes to a session of another project. */
export const commandFor = ({ cwd, sessionId }: Pick<SessionRow, "cwd" | "sessionId">): string => {
  const folder = /^[\w@%+=:,./-]+$/.test(cwd) ? cwd : `'${cwd.replaceAll("'", "'\\''")}'`;
  return `cd ${folder} && claude --resume ${sessionId}`;
};

/** Rows as the picker shows them: without the open session, with who has one open and what belongs elsewhere. */
const dressed = (session: Session, rows: readonly ListedSession[], roots: readonly string[], scope: SessionScope) => {
  const open = new Map(liveSessions(join(session.places.configDir, "sessions")).map((one) => [one.sessionId, one.pid]));
  return rows
    .filter(({ sessionId }) => sessionId !== session.id)
    .sort((a, b) => Number(a.problem !== undefined) - Number(b.problem !== undefined) || b.updatedAt - a.updatedAt)
    .map(({ file: _file, entrypoint: _entrypoint, ...row }): SessionRow => {
      const openIn = open.get(row.sessionId);
      const isElsewhere = scope === "all" && row.cwd !== "" && !roots.some((root) => isInside(row.cwd, root));
      return {
        ...row,
        ...(openIn === undefined ? {} : { openIn }),
        ...(isElsewhere && row.problem === undefined ? { command: commandFor(row) } : {}),
      };
    });
};

const firstRows = 60; // more than a screen holds

/** Reads the rows of a scope; `onRows` hears of those found so far while many files are new. */
const readRows = async (
  session: Session,
  scope: SessionScope,
  onRows: (rows: SessionRow[]) => void,
): Promise<SessionRow[]> => {
  const roots = await repositoryRoots(session);
  const found: ListedSession[] = [];
  for (const ring of await ringsOf(session, scope, roots)) {
    const rows = await listSessions({
      projectDir: ring.projectDir,
      ...(scope === "project" ? { cwd: session.options.cwd } : {}),
      indexDir: sessionIndexDir(session),
      includeDamaged: true,
      onRows: (some) => onRows(dressed(session, [...found, ...some.filter(ring.isWanted)], roots, scope)),
    });
    found.push(...rows.filter(ring.isWanted));
  }
  return dressed(session, found, roots, scope);
};

/** The list as a picker, with what can be known at once; the screen asks for the rest where it is not complete. */
export const sessionsPicker = async (session: Session, query: string): Promise<SessionsPicker> => {
  const { places, options, gitBranch } = session;
  const wanted = {
    projectDir: places.projectDir,
    cwd: options.cwd,
    indexDir: sessionIndexDir(session),
    includeDamaged: true,
  };
  const { rows, isComplete } = await listSome(wanted, firstRows);
  return {
    kind: "sessions",
    sessions: dressed(session, rows, [], "project"),
    scope: "project",
    isComplete,
    ...(query === "" ? {} : { query }),
    ...(gitBranch === undefined ? {} : { branch: gitBranch }),
  };
};

/** Opens the list so that a person chooses; says so where there is none. */
export const chooseSession = async (session: Session, query: string, emit: Emit): Promise<void> => {
  await emit({ type: "picker", picker: await sessionsPicker(session, query) });
};

/** Rows of a scope for the list that is open. */
export const showSessions = async (session: Session, scope: SessionScope, emit: Emit): Promise<void> => {
  const sessions = await readRows(session, scope, (some) =>
    publish(session, { type: "session_rows", scope, sessions: some, isComplete: false }),
  );
  await emit({ type: "session_rows", scope, sessions, isComplete: true });
};

/** Names a session that is not this one. Throws an Error for the person, also while it is open elsewhere. */
const renameOther = async (session: Session, id: string, name: string): Promise<void> => {
  const { env, cwd } = session.options;
  const found = await findSession(id, { env, cwd, worktrees: await otherWorktrees(session) });
  if (found.kind !== "found") throw new Error(`There is no session ${id} any more.`);
  const { file } = found.session;
  const outcome = lockSession(dirname(file), basename(file, ".jsonl"));
  if (outcome.kind === "held")
    throw new Error(`The session is open elsewhere (process ${outcome.pid}): rename it there.`);
  let problem: string | undefined;
  try {
    const lines = new LineFile(file, (reason) => {
      problem = reason;
    });
    const { atime, mtime } = statSync(file);
    lines.append(JSON.stringify({ type: "custom-title", customTitle: name, sessionId: id }));
    lines.close();
    utimesSync(file, atime, mtime); // a name does not make it the newest
  } finally {
    outcome.lock.release();
  }
  if (problem !== undefined) throw new Error(`The name could not be written: ${problem}`);
};

/** Names any session and shows the list anew. Throws an Error for the person. */
export const renameListed = async (
  session: Session,
  { sessionId, name, scope }: { sessionId: string; name: string; scope: SessionScope },
  emit: Emit,
): Promise<void> => {
  const clean = cleanName(name);
  if (sessionId === session.id) await renameSession(session, clean, session.closing.signal);
  else await renameOther(session, sessionId, clean);
  await showSessions(session, scope, emit);
};
