// What processes cost: wall and CPU time of a run, CPU and memory of a living process tree (Linux, /proc).
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Cost {
  wallMs: number;
  cpuMs: number;
}

/** Middle value of a list; NaN when empty. */
export const median = (values: number[]): number => percentile(values, 50);

/** The value that p percent do not pass; NaN when empty. */
export const percentile = (values: number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
};

/** Runs a program to its end under bash's own clock: wall and CPU (with children), to the millisecond. */
export const timeRun = (command: string, args: string[], env: Record<string, string>, cwd: string): Cost => {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>/dev/null </dev/null';
  // Not on a pipe: with a socket as stdin bash would read the user's start-up file.
  const output = execFileSync("bash", ["-c", `{ ${script}; } 2>&1`, "bash", command, ...args], {
    env,
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [wall = 0, user = 0, system = 0] = output.trim().split(/\s+/).map(Number);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000 };
};

/** Median cost of several runs, one warm-up left out. */
export const timeRuns = (
  runs: number,
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Cost => {
  timeRun(command, args, env, cwd);
  const costs = Array.from({ length: runs }, () => timeRun(command, args, env, cwd));
  return { wallMs: median(costs.map((c) => c.wallMs)), cpuMs: median(costs.map((c) => c.cpuMs)) };
};

/** A process and all its descendants. */
export const tree = (pid: number): number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const found = [pid];
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child);
  return found;
};

/** CPU time of a process tree so far, in milliseconds (nanosecond counters of each thread). */
export const cpuOf = (pid: number): number => {
  let ns = 0;
  for (const process of tree(pid)) {
    try {
      for (const task of readdirSync(`/proc/${process}/task`))
        ns += Number(readFileSync(`/proc/${process}/task/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // It ended while we looked.
    }
  }
  return ns / 1e6;
};

/**
 * Memory of a process tree in megabytes: its PSS as it would be if nothing else ran. Pages shared with programs outside
 * (other Node processes map the same binary) count in full, or the figure would change with the neighbours.
 */
export const pssOf = (pid: number): number => {
  let own = 0;
  let shared = 0;
  for (const process of tree(pid)) {
    try {
      const text = readFileSync(`/proc/${process}/smaps_rollup`, "utf8");
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
      own += kilobytes("Private_Clean") + kilobytes("Private_Dirty");
      shared = Math.max(shared, kilobytes("Shared_Clean") + kilobytes("Shared_Dirty"));
    } catch {
      // It ended while we looked.
    }
  }
  return (own + shared) / 1024;
};

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Memory of a Node process that does nothing. */
export const bareNodePss = async (): Promise<number> => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
  await sleep(1000);
  const pss = pssOf(child.pid ?? 0);
  child.kill("SIGKILL");
  return pss;
};
