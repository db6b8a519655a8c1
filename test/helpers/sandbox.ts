// Whether the sandbox works on this machine, for tests that need one.
import { spawnSync } from "node:child_process";

const probe = (): string | undefined => {
  if (process.platform === "darwin") return undefined;
  for (const program of ["bwrap", "socat"]) {
    const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
    if (error) return `${program} is not installed`;
  }
  const made = spawnSync("bwrap", ["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "true"]);
  return made.status === 0 ? undefined : `bubblewrap may not make namespaces here: ${String(made.stderr).trim()}`;
};

/** Why sandbox tests cannot run here; undefined where they can. */
export const noSandbox: string | undefined = probe();

/** A test's name with the reason it is skipped, if it is. */
export const sandboxTitle = (title: string): string =>
  noSandbox === undefined ? title : `${title} (skipped: ${noSandbox})`;
