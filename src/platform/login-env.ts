// What the person's login shell and CLAUDE_ENV_FILE add to the environment. Read once, in a session of its own, so
// that a start-up file can neither ask on the terminal nor hold anything up.
import { spawn } from "node:child_process";
import type { Env } from "./paths.js";

const timeoutMs = 3_000; // a start-up file that takes longer is left out
const maxBytes = 2 * 1024 * 1024;

/** Variables that say how this one shell was started: they mean nothing for others. */
const ofTheShell = /^(_|SHLVL|PWD|OLDPWD|SHELLOPTS|BASHOPTS|BASH_.*|TERM|COLUMNS|LINES|CLAUDE.*)$/;

const mark = "\u0001env\u0001";
// $1: the file of CLAUDE_ENV_FILE, or nothing.
const script = `printf '${mark}'; env -0; [ -n "$1" ] && [ -r "$1" ] && . "$1"; printf '${mark}'; env -0`;

const parse = (text: string): Map<string, string> =>
  new Map(
    text
      .split("\0")
      .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !ofTheShell.test(name)),
  );

/** Entries of PATH-like lists, the first ones first, each once. */
const joinPaths = (...lists: (string | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => (list ?? "").split(":")).filter(Boolean))].join(":");

/** What the two outputs add to `inherited`: new variables, a longer PATH, and whatever the file changed. */
export const addedEnv = (output: string, inherited: Env): Record<string, string> => {
  const [, login, file] = output.split(mark).map(parse);
  const added: Record<string, string> = {};
  if (!login || !file) return added;
  for (const [name, value] of login) if (inherited[name] === undefined) added[name] = value;
  added.PATH = joinPaths(inherited.PATH, login.get("PATH"));
  // The file is the person's own and newest word: it may also change what was there.
  for (const [name, value] of file) if (login.get(name) !== value) added[name] = value;
  return added;
};

/** Runs a shell script in a session of its own and gives what it printed by its end, at most 3 s later. */
const outputOf = (args: readonly string[], env: Env, cwd: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn("bash", args, {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true, // no controlling terminal
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL"); // what a start-up file left behind
      } catch {
        // It has ended already.
      }
      child.stdout.destroy();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const timer = setTimeout(end, timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
    });
    signal.addEventListener("abort", end, { once: true });
    child.on("error", end);
    child.on("exit", () => setImmediate(end));
  });

/** Runs a login shell and reports what it adds. Never rejects; after 3 s, on abort, or without bash, nothing is added. */
export const readLoginEnv = async (inherited: Env, cwd: string, signal: AbortSignal): Promise<Record<string, string>> =>
  addedEnv(await outputOf(["-lc", script, "bash", inherited.CLAUDE_ENV_FILE ?? ""], inherited, cwd, signal), inherited);

const filesScript = `printf '${mark}'; env -0; for f; do [ -r "$f" ] && . "$f" >/dev/null; done; printf '${mark}'; env -0`;

/** Variables that files of `export` lines set or change. Never rejects; a file that fails or hangs adds nothing. */
export const readEnvFiles = async (
  files: readonly string[],
  inherited: Env,
  cwd: string,
  signal: AbortSignal,
): Promise<Record<string, string>> => {
  const args = ["--noprofile", "--norc", "-c", filesScript, "bash", ...files];
  const [, before, after] = (await outputOf(args, inherited, cwd, signal)).split(mark).map(parse);
  if (!before || !after) return {};
  return Object.fromEntries([...after].filter(([name, value]) => before.get(name) !== value));
};
