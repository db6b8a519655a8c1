// Where a command runs and where the next one will: the folder follows `cd`, but only inside the working folders.
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { isDirectory, isInside } from "../../platform/fs.js";
import type { ToolContext } from "../tool.js";

const isOn = (value: string | undefined) => /^(1|true|yes|on)$/i.test(value ?? "");

/** The folder to run in. When the current one is gone: the nearest that exists, with a note that says so. */
export const startFolder = async (context: ToolContext): Promise<{ cwd: string; notes: string[] }> => {
  const wanted = context.cwd;
  if (await isDirectory(wanted)) return { cwd: wanted, notes: [] };
  const cwd = await nearestFolder(context);
  context.setCwd(cwd);
  return { cwd, notes: [`(The working folder ${wanted} no longer exists; the command ran in ${cwd}.)`] };
};

const nearestFolder = async ({ cwd, workingDirs }: ToolContext): Promise<string> => {
  const isWorking = (path: string) => workingDirs.some((folder) => isInside(path, folder));
  for (let path = dirname(cwd); isWorking(path); path = dirname(path)) if (await isDirectory(path)) return path;
  for (const folder of workingDirs) if (await isDirectory(folder)) return folder;
  let path = workingDirs[0] ?? cwd;
  while (!(await isDirectory(path)) && dirname(path) !== path) path = dirname(path);
  return path;
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
