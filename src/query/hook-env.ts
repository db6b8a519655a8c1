// CLAUDE_ENV_FILE: hooks write `export` lines to it, and every later command has those variables.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readEnvFiles } from "../platform/login-env.js";
import type { HookEvent } from "../settings/schema/hooks.js";
import { childEnv, type Session } from "./session.js";

/** In the order in which they are read. */
const files: Readonly<Partial<Record<HookEvent, string>>> = {
  SessionStart: "session-start.sh",
  CwdChanged: "cwd-changed.sh",
};

const folderOf = ({ places, id }: Session): string => join(places.configDir, "session-env", id);

/** An empty file for this event's hooks; undefined where none can be made. */
export const envFileFor = async (session: Session, event: HookEvent): Promise<string | undefined> => {
  const name = files[event];
  if (name === undefined) return undefined;
  const folder = folderOf(session);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(join(folder, name), { force: true });
    return join(folder, name);
  } catch {
    return undefined; // a folder that cannot be written: hooks run without the file
  }
};

/** Reads what hooks wrote. Never rejects; lines that do not work are left out. */
export const readHookEnv = async (session: Session): Promise<void> => {
  const { hooks, options, closing } = session;
  hooks.env = undefined; // read against what there is without it
  const paths = Object.values(files).map((name) => join(folderOf(session), name));
  hooks.env = await readEnvFiles(paths, childEnv(session), options.cwd, closing.signal);
};
