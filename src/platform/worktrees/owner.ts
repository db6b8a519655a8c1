// Who uses a worktree of ours, noted among git's own files: after a crash the next start finds what was left behind.
import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Env } from "../paths.js";
import { processStartTime } from "../process-start.js";
import {
  isUnchanged,
  readSmall,
  removeWorktree,
  type Worktree,
  type WorktreeState,
  worktreeState,
  worktreesDir,
} from "./worktree.js";

const fileName = "claude-owner.json";

interface Owner {
  pid: number;
  startTime: string;
  host: string;
  branch: string;
  base: string;
  brought?: string[];
  /** A start found it and told of it. */
  isTold?: boolean;
}

const isAlive = ({ pid, startTime, host }: Owner): boolean => {
  if (host !== hostname()) return true; // cannot be known from here: hands off
  const started = processStartTime(pid);
  return started === undefined || (started !== "" && started === startTime);
};

const write = (adminDir: string, owner: Owner): Promise<void> =>
  writeFile(join(adminDir, fileName), JSON.stringify(owner), { mode: 0o600 }).catch(() => undefined); // then it is never swept

/** Notes that this process uses the worktree. */
export const noteOwner = ({ adminDir, branch, base, brought }: Worktree, isTold = false): Promise<void> =>
  write(adminDir, {
    ...{ pid: process.pid, startTime: processStartTime(process.pid) ?? "", host: hostname() },
    ...{ branch, base, brought, isTold },
  });

export interface LeftWorktree {
  worktree: Worktree;
  state: WorktreeState | undefined;
}

/** The note of a worktree, with the worktree as it was made. Undefined where there is none that can be read. */
const noted = async (mainRoot: string, name: string): Promise<{ worktree: Worktree; owner: Owner } | undefined> => {
  const path = join(worktreesDir(mainRoot), name);
  const adminDir = /^gitdir: (.+)$/m.exec((await readSmall(join(path, ".git"))) ?? "")?.[1]?.trim();
  const text = adminDir && (await readSmall(join(adminDir, fileName)));
  if (!adminDir || !text) return undefined;
  try {
    const owner = JSON.parse(text) as Owner;
    const { branch, base, brought = [] } = owner;
    if (typeof owner.pid !== "number" || typeof branch !== "string" || !/^[0-9a-f]{40,64}$/.test(base))
      return undefined;
    return { owner, worktree: { name, path, branch, base, mainRoot, adminDir, brought } };
  } catch {
    return undefined; // not ours, or half written: nobody touches it
  }
};

/**
 * Worktrees whose process is gone: unchanged ones are removed, the others stay and are returned the first time they are found. Those of
 * living processes and those that are not ours are not touched. Never throws.
 */
export const sweepWorktrees = async (
  mainRoot: string,
  env: Env,
): Promise<{ removed: Worktree[]; kept: LeftWorktree[] }> => {
  const names = await readdir(worktreesDir(mainRoot)).catch(() => []); // none were ever made
  const found: { removed: Worktree[]; kept: LeftWorktree[] } = { removed: [], kept: [] };
  for (const name of names) {
    const note = await noted(mainRoot, name);
    if (!note || isAlive(note.owner)) continue;
    const { worktree, owner } = note;
    const state = await worktreeState(worktree, env);
    if (isUnchanged(state) && (await removeWorktree(worktree, env)) === undefined) found.removed.push(worktree);
    else if (owner.isTold !== true) {
      found.kept.push({ worktree, state });
      await write(worktree.adminDir, { ...owner, isTold: true });
    }
  }
  return found;
};

/** The worktree of this name, if it is one of ours and no living process uses it: to go on in it. */
export const leftWorktree = async (mainRoot: string, name: string): Promise<Worktree | "in use" | undefined> => {
  const note = await noted(mainRoot, name);
  if (!note) return undefined;
  return isAlive(note.owner) && note.owner.pid !== process.pid ? "in use" : note.worktree;
};
