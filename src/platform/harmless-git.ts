// Git that starts no program named in a repository's configuration: what we run by ourselves must never run its code.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commonDirOf, gitDirOf } from "./git-dir.js";
import type { Env } from "./paths.js";
import { type ProcessOptions, type ProcessOutcome, runProcess } from "./process.js";

const askTimeoutMs = 5_000;

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

/**
 * Arguments and environment of a git that runs no program of the repository's, as long as it looks at no file of the
 * folder: those may go through filters, see `runHarmlessGit`.
 */
export const harmlessGit = (args: readonly string[], env: Env): { args: string[]; env: Env } => ({
  args: [...harmless, ...args],
  env: {
    ...withoutGitVariables(env),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    // Objects that a partial clone has left out are not fetched; stronger than any `protocol.<name>.allow`.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_ASKPASS: "",
    LC_ALL: "C",
  },
});

const withoutGitVariables = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^GIT_(EXTERNAL_DIFF|PAGER|EDITOR|SSH|SSH_COMMAND|PROXY_COMMAND|CONFIG_.*)$/.test(name),
    ),
  );

/** Commands that look at no file of the folder, so that no filter can run. */
const readsNoFiles: ReadonlySet<string> = new Set([
  ...["cat-file", "check-attr", "config", "for-each-ref", "log", "ls-tree", "rev-list", "rev-parse", "symbolic-ref"],
  "update-ref",
]);

const commandOf = (args: readonly string[]): string => args.find((arg) => !arg.startsWith("-")) ?? "";

/** Programs for filters stand in these keys; git-lfs, which most people have as a filter of their own, starts those of its keys. */
const filterKeys = /^filter\.(.+)\.(?:clean|smudge|process|required)$/i;
const lfsKeys = /^lfs\.(?:extension|customtransfer|standalonetransferagent)\b/i;

/** Whether the repository's own configuration could name a filter. A look at two files, because git takes longer. */
const mayName = async (cwd: string, env: Env): Promise<boolean> => {
  if (Object.keys(env).some((name) => name.startsWith("GIT_"))) return true; // it may be another repository
  const gitDir = await gitDirOf(cwd);
  if (gitDir === undefined) return true;
  const text = await readFile(join(await commonDirOf(gitDir), "config"), "utf8").catch(() => "include"); // git may know better
  // Section names have no other spelling than this one.
  return /filter|lfs|include|worktreeconfig/i.test(text);
};

/** Filters that the repository's own configuration names; undefined: git cannot say. */
const ownFilters = async (cwd: string, env: Env): Promise<string[] | undefined> => {
  if (!(await mayName(cwd, env))) return [];
  const git = harmlessGit(["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^(filter|lfs)\\."], env);
  const asked = await runProcess("git", git.args, { cwd, env: git.env, timeoutMs: askTimeoutMs });
  if (asked.exitCode !== 0) return asked.exitCode === 1 ? [] : undefined; // 1: there is no such key
  const fields = asked.stdout.split("\0");
  const names = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, key = ""] = fields.slice(at, at + 2);
    if (scope !== "local" && scope !== "worktree") continue;
    const name = filterKeys.exec(key)?.[1] ?? (lfsKeys.test(key) ? "lfs" : undefined);
    if (name !== undefined) names.add(name);
  }
  return [...names];
};

/** Variables that switch these filters off; unlike `-c` they can name any. */
const switchedOff = (names: readonly string[]): Env => {
  const entries = names.flatMap((name) => [
    ...["clean", "smudge", "process"].map((key) => [`filter.${name}.${key}`, ""]),
    [`filter.${name}.required`, "false"],
  ]);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
};

const refused: ProcessOutcome = {
  exitCode: null,
  stdout: "",
  stderr: "the repository's configuration cannot be read",
  timedOut: false,
  aborted: false,
  truncated: false,
};

/**
 * Runs git in `cwd` and nothing that the repository names: no hooks, fsmonitor, filters, pager, external diff, prompts or
 * network. Filters that the person has for all repositories stay. Where git cannot say which filters there are, it is not
 * run. Never rejects.
 */
export const runHarmlessGit = async (
  args: readonly string[],
  { cwd, env, ...options }: ProcessOptions & { cwd: string; env: Env },
): Promise<ProcessOutcome> => {
  const git = harmlessGit(args, env);
  const filters = readsNoFiles.has(commandOf(args)) ? [] : await ownFilters(cwd, env);
  if (filters === undefined) return refused;
  return runProcess("git", git.args, { ...options, cwd, env: { ...git.env, ...switchedOff(filters) } });
};
