// Where the product keeps its files, worked out from an environment that is passed in.
import { createHash } from "node:crypto";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** The user's home folder ($HOME, else what the system says). */
export const homeDir = (env: Env): string => env.HOME || homedir();

/** The folder of settings and sessions: $CLAUDE_CONFIG_DIR or ~/.claude. */
export const configDir = (env: Env): string =>
  env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(homeDir(env), ".claude");

/** The state file: inside $CLAUDE_CONFIG_DIR when that is set, else ~/.claude.json. */
export const stateFile = (env: Env): string =>
  env.CLAUDE_CONFIG_DIR ? join(resolve(env.CLAUDE_CONFIG_DIR), ".claude.json") : join(homeDir(env), ".claude.json");

const longestSlug = 200; // longer ones are cut and told apart by a hash

/** Folder name of a project: every character outside A-Z a-z 0-9 becomes "-". */
export const projectSlug = (cwd: string): string => {
  const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (slug.length <= longestSlug) return slug;
  return `${slug.slice(0, longestSlug)}-${createHash("sha256").update(cwd).digest("hex").slice(0, 8)}`;
};

/** Folder of a project's sessions. */
export const projectDir = (env: Env, cwd: string): string => join(configDir(env), "projects", projectSlug(cwd));

/** Folder of one session's temporary files: shell output and the like. Not created here. */
export const sessionTmpDir = (env: Env, cwd: string, sessionId: string): string =>
  join(env.CLAUDE_CODE_TMPDIR || env.TMPDIR || tmpdir(), `claude-${userInfo().uid}`, projectSlug(cwd), sessionId);

/** Absolute form of a path a person or model wrote: `~` and `~/x` expand, relative ones hang under `cwd`. */
export const expandPath = (path: string, cwd: string, home: string): string => {
  if (path === "~") return home;
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
};
