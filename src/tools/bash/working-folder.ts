// Where a command runs and where the next one will: the folder follows `cd`, but only inside the working folders.
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { isDirectory, isInside } from "../../platform/fs.js";
import type { ToolContext } from "../tool.js";

const isOn = (value: string | undefined) => /^(1|true|yes|on)$/i.test(value ?? "");

type Place = Pick<ToolContext, "cwd" | "workingDirs">;

/**
 * The folder a command would run in: the current one, or when it is gone the nearest inside the working folders, or
 * another working folder. Undefined when none exists: nothing may run then, a folder above was never allowed.
 */
export const startFolder = async ({ cwd, workingDirs }: Place): Promise<string | undefined> => {
  if (await isDirectory(cwd)) return cwd;
  const isWorking = (path: string) => workingDirs.some((folder) => isInside(path, folder));
  for (let path = dirname(cwd); isWorking(path); path = dirname(path))
    if (await isReallyWorking(path, workingDirs)) return path;
  for (const folder of workingDirs) if (await isDirectory(folder)) return folder;
  return undefined;
};

/** A folder that exists and, links followed, lies in a working folder. */
const isReallyWorking = async (path: string, workingDirs: readonly string[]): Promise<boolean> => {
  if (!(await isDirectory(path))) return false;
  const real = await realpath(path);
  for (const folder of workingDirs) {
    const realFolder = await realpath(folder).catch(() => undefined); // a working folder that is gone contains nothing
    if (realFolder !== undefined && isInside(real, realFolder)) return true;
  }
  return false;
};

/** Why nothing can run. */
export const noFolderText = ({ cwd }: Place): string =>
  `Nothing ran: the working folder ${cwd} no longer exists, and none of the session's folders does. Ask the person to restore it or to add another folder (/add-dir).`;

/** Takes the folder over for later calls, with a note when it is not the one that was wanted. */
export const enterFolder = (folder: string, context: ToolContext): string[] => {
  const wanted = context.cwd;
  if (folder === wanted) return [];
  context.setCwd(folder);
  return [`(The working folder ${wanted} no longer exists; the command ran in ${folder}.)`];
};

/** Takes over the folder a command ended in, if later calls may start there; else says that they do not. */
export const moveTo = async (path: string, context: ToolContext): Promise<string[]> => {
  if (context.agentId !== undefined || path === context.cwd) return []; // a subagent's folder stays
  const home = context.workingDirs[0] ?? context.cwd;
  if (isOn(context.env.CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR)) {
    context.setCwd(home);
    return [];
  }
  if (!(await isDirectory(path))) return []; // removed behind itself: the next call finds a place and says so
  const real = await realpath(path);
  for (const folder of context.workingDirs) {
    const realFolder = await realpath(folder).catch(() => folder); // a working folder that is gone contains nothing
    if (!isInside(real, realFolder)) continue;
    context.setCwd(path);
    return [];
  }
  const stays = (await isDirectory(context.cwd)) ? context.cwd : home;
  context.setCwd(stays);
  return [`(The working folder is ${stays} again: ${path} is outside the folders of this session.)`];
};
