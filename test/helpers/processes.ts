// Processes that commands under test have started, known by the id that they wrote into a file.
import { spawnSync } from "node:child_process";
import { watch } from "node:fs";
import type { Workspace } from "./workspace.js";

/** Whether a process of this id runs. One that has ended but was not collected yet by its new parent does not. */
export const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
};

/** The process id in a file of the project, as soon as it is written. */
export const pidIn = (workspace: Workspace, name: string, timeoutMs = 20_000): Promise<number> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const pid = workspace.exists(name) ? Number.parseInt(workspace.read(name), 10) : Number.NaN;
      if (Number.isNaN(pid)) return;
      clearTimeout(timer);
      watcher.close();
      resolve(pid);
    };
    const watcher = watch(workspace.project, look);
    const timer = setTimeout(() => {
      watcher.close();
      reject(new Error(`no process id came into ${name} in ${timeoutMs} ms`));
    }, timeoutMs);
    look();
  });
