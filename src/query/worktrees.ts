// Git worktrees of a session: made for an agent or for the main thread, settled when that is done, found again after a crash.
import type { KeptWorktree } from "../agents/run.js";
import { planName } from "../lib/plan-name.js";
import { isDirectory } from "../platform/fs.js";
import type { Worktree } from "../platform/worktrees/worktree.js";
import { newId } from "../protocol/ids.js";
import type { WorktreeEnd, WorktreeReach } from "../tools/tool.js";
import type { AgentThread } from "./agent-types.js";
import { childEnv, publish, type Session } from "./session.js";

/** The worktree that a thread works in: an agent's own or the one it was started in, else the main thread's. */
export const worktreeOf = (session: Session, thread?: AgentThread): Worktree | undefined =>
  thread ? thread.worktree : session.worktree;

/** Children of a worktree must not be led elsewhere by the environment: variables that name a repository are dropped. */
export const threadEnv = (session: Session, thread?: AgentThread): ReturnType<typeof childEnv> => {
  const env = childEnv(session);
  if (!worktreeOf(session, thread)) return env;
  const own = Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR)$/.test(name));
  return Object.fromEntries(own) as typeof env;
};

const slug = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40) || "agent";

/** Makes a worktree and says where in it work begins. Throws a WorktreeProblem with the reason. */
export const openWorktree = async (
  session: Session,
  { cwd, name }: { cwd: string; name: string },
): Promise<{ worktree: Worktree; cwd: string }> => {
  const { createWorktree, samePlace } = await import("../platform/worktrees/create.js");
  const { mainCheckoutOf } = await import("../platform/worktrees/worktree.js");
  const env = childEnv(session);
  const { baseRef = "head", symlinkDirectories: links = [] } = session.settings.get("worktree") ?? {};
  const { top } = await mainCheckoutOf(cwd, env);
  const worktree = await createWorktree({ cwd, env, name, baseRef, links });
  return { worktree, cwd: await samePlace(worktree, top, cwd) };
};

/** A worktree for an agent; its name tells whose it is. */
export const openAgentWorktree = (session: Session, cwd: string, name: string) =>
  openWorktree(session, { cwd, name: `${slug(name)}-${newId().slice(0, 6)}` });

/** Removes the worktree of an agent that is done when it is unchanged; otherwise says what stays. Never throws. */
export const settleWorktree = async (session: Session, worktree: Worktree): Promise<KeptWorktree | undefined> => {
  const { isUnchanged, removeWorktree, worktreeState } = await import("../platform/worktrees/worktree.js");
  const env = childEnv(session);
  const state = await worktreeState(worktree, env);
  const { path, branch } = worktree;
  if (isUnchanged(state) && (await removeWorktree(worktree, env)) === undefined) return undefined;
  if (!(await isDirectory(path))) return undefined; // the agent removed it itself
  return { path, branch, files: state?.files ?? 0, commits: state?.commits ?? 0 };
};

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;

/** Cleans up after sessions that were killed, in the background; what they left is told. Call only in trusted folders. */
export const sweepLeftWorktrees = async (session: Session): Promise<void> => {
  const { projectRoot } = session;
  if (!(await isDirectory(`${projectRoot}/.claude/worktrees`))) return;
  const { sweepWorktrees } = await import("../platform/worktrees/owner.js");
  const { kept } = await sweepWorktrees(projectRoot, childEnv(session));
  if (kept.length === 0 || session.closing.signal.aborted) return;
  const lines = kept.map(
    ({ worktree: { path, branch }, state }) =>
      `  ${path} (branch ${branch}${state ? `: ${count(state.files, "changed file")}, ${count(state.commits, "commit")}` : ""})`,
  );
  const text = [
    "A session that was cut off left work in git worktrees; it is kept until you merge it or run git worktree remove:",
    ...lines,
  ].join("\n");
  publish(session, { type: "notice", level: "warning", text, key: "left-worktrees" });
};

interface Holder {
  worktree?: Worktree;
  cwd: string;
  /** Where it was before it entered. */
  cwdBefore?: string;
}

const leave = async (session: Session, holder: Holder, wanted: "keep" | "remove", isDiscarded: boolean) => {
  const { worktree } = holder;
  if (!worktree) return { kind: "refused", text: "There is no worktree to leave." } as const;
  const { path, branch } = worktree;
  const { isUnchanged, removeWorktree, worktreeState } = await import("../platform/worktrees/worktree.js");
  const env = childEnv(session);
  if (wanted === "remove") {
    const state = await worktreeState(worktree, env);
    if (!isDiscarded && !isUnchanged(state))
      return {
        kind: "refused",
        text: `It is not removed: ${path} holds ${state ? `${count(state.files, "changed file")} and ${count(state.commits, "commit")} of its own` : "what git could not compare"}. Commit and merge them, leave it with action "keep", or, only if the person wants to lose them, set discard_changes.`,
      } as const;
    const problem = await removeWorktree(worktree, env, { isDiscarded });
    if (problem && (await isDirectory(path)))
      return { kind: "refused", text: `It could not be removed: ${problem}` } as const;
  }
  holder.worktree = undefined;
  holder.cwd = holder.cwdBefore ?? session.options.cwd;
  return { kind: "left", path, branch, cwd: holder.cwd, isRemoved: wanted === "remove" } satisfies WorktreeEnd;
};

/** Names of worktrees that were entered by a tool and are in use by nobody can be gone on with. */
const enter = async (session: Session, holder: Holder, wanted: string | undefined): Promise<Worktree> => {
  const { random } = session.options;
  const name = wanted ?? `${planName(random(), random())}-${newId().slice(0, 4)}`;
  const { leftWorktree, noteOwner } = await import("../platform/worktrees/owner.js");
  const { mainCheckoutOf, WorktreeProblem } = await import("../platform/worktrees/worktree.js");
  const { mainRoot } = await mainCheckoutOf(holder.cwd, childEnv(session));
  const left = await leftWorktree(mainRoot, name);
  if (left === "in use")
    throw new WorktreeProblem(`Another session works in the worktree ${name}: choose another name.`);
  if (left) await noteOwner(left);
  const opened = left ? { worktree: left, cwd: left.path } : await openWorktree(session, { cwd: holder.cwd, name });
  holder.cwdBefore = holder.cwd;
  holder.worktree = opened.worktree;
  holder.cwd = opened.cwd;
  return opened.worktree;
};

/** What EnterWorktree and ExitWorktree may do, for the main thread or an agent. */
export const worktreeReach = (session: Session, thread?: AgentThread): WorktreeReach => {
  const holder: Holder = thread ?? session;
  const isOwn = !thread || thread.enteredWorktree === true;
  return {
    current: holder.worktree,
    enter: async (name) => {
      if (holder.worktree)
        return { kind: "refused", text: `This already works in the worktree ${holder.worktree.path}.` };
      try {
        const { path, branch } = await enter(session, holder, name);
        if (thread) thread.enteredWorktree = true;
        return { kind: "entered", path, branch, cwd: holder.cwd };
      } catch (error) {
        return { kind: "refused", text: error instanceof Error ? error.message : String(error) };
      }
    },
    leave: (wanted, isDiscarded) =>
      isOwn
        ? leave(session, holder, wanted, isDiscarded)
        : Promise.resolve({ kind: "refused", text: "This agent was started in its worktree and stays there." }),
  };
};

/** The end of a session that works in a worktree: unchanged, it goes. */
export const closeWorktree = async (session: Session): Promise<void> => {
  const { worktree } = session;
  if (worktree) await settleWorktree(session, worktree);
};
