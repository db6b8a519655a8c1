// What the prompt says about the repository. Git is started without a shell and with everything switched off
// that would run the repository's own programs. Call only in trusted folders.
import type { Env } from "./paths.js";
import { type ProcessOutcome, runProcess } from "./process.js";

export interface GitSnapshot {
  /** Short name; "HEAD" when detached. */
  branch: string;
  /** The branch pull requests usually go to; undefined when unknown. */
  mainBranch?: string;
  /** `git status --short`, cut to `maxStatusChars`. Empty: clean. */
  status: string;
  isStatusCut: boolean;
  /** Newest first: short hash and subject. */
  recentCommits: string[];
}

const maxStatusChars = 2000; // a snapshot for orientation; the model can ask for more
const recentCommits = 5;
const timeoutMs = 5000; // a huge repository must not hold up the first request

/** Options that keep git from starting programs named in the repository's configuration. */
const harmless = [
  "--no-optional-locks",
  "--no-pager",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "core.pager=cat"].flatMap(
    (option) => ["-c", option],
  ),
  ...["core.sshCommand=false", "protocol.allow=never", "submodule.recurse=false", "log.showSignature=false"].flatMap(
    (option) => ["-c", option],
  ),
];

/** Runs git read-only in `cwd`: no hooks, fsmonitor, pager, external diff, locks, prompts or network. */
export const runGit = (
  args: readonly string[],
  options: { cwd: string; env: Env; signal?: AbortSignal },
): Promise<ProcessOutcome> =>
  runProcess("git", [...harmless, ...args], {
    cwd: options.cwd,
    env: {
      ...withoutGitVariables(options.env),
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_PAGER: "cat",
      LC_ALL: "C",
    },
    signal: options.signal,
    timeoutMs,
    maxBytes: 1024 * 1024,
  });

const withoutGitVariables = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^GIT_(EXTERNAL_DIFF|PAGER|EDITOR|SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND|CONFIG_.*)$/.test(name),
    ),
  );

/** Branch, status and newest commits of the repository around `cwd`; undefined outside a repository or without git. */
export const gitSnapshot = async (options: {
  cwd: string;
  env: Env;
  signal?: AbortSignal;
}): Promise<GitSnapshot | undefined> => {
  const inside = await runGit(["rev-parse", "--is-inside-work-tree"], options);
  if (inside.stdout.trim() !== "true") return undefined;
  const [head, remoteHead, branches, status, log] = await Promise.all([
    runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], options),
    runGit(["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"], options),
    runGit(["for-each-ref", "--format=%(refname:short)", "refs/heads/main", "refs/heads/master"], options),
    runGit(["status", "--short", "--ignore-submodules=all"], options),
    runGit(["log", `--max-count=${recentCommits}`, "--no-show-signature", "--no-decorate", "--format=%h %s"], options),
  ]);
  const mainBranch = remoteHead.stdout.trim().replace(/^origin\//, "") || branches.stdout.split("\n")[0]?.trim();
  const text = status.stdout.trimEnd();
  return {
    branch: head.stdout.trim() || "HEAD",
    ...(mainBranch ? { mainBranch } : {}),
    status: text.slice(0, maxStatusChars),
    isStatusCut: text.length > maxStatusChars || status.truncated || status.timedOut,
    recentCommits: log.stdout.split("\n").filter(Boolean),
  };
};

/** Name of the current branch, undefined outside a repository. Cheap: one git call. */
export const gitBranch = async (options: {
  cwd: string;
  env: Env;
  signal?: AbortSignal;
}): Promise<string | undefined> => {
  const head = await runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], options);
  return head.stdout.trim() || undefined;
};
