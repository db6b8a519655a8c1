// A session of thousands of turns, headless and on a screen: memory, file descriptors and processes must not grow with it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Bed } from "./bed.js";
import { median, pssOf, sleep, tree } from "./machine.js";
import type { Measure } from "./rows.js";
import type { Target } from "./session.js";
import { soakPrompt } from "./soak-answers.js";

export interface SoakSample {
  /** Requests the session had made. */
  turn: number;
  /** What lives after a full collection. */
  heapMb: number;
  memoryMb: number;
  descriptors: number;
  processes: number;
}

/** Allowed tools, a window that is compacted about every sixty turns, and a model whose window is known. */
const soakArgs = ["--model", "claude-haiku-4-5", "--allowedTools", "Read,Edit,Grep,Bash,Agent"];
const soakEnv = (bed: Bed) => ({
  CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000",
  NODE_OPTIONS: `--expose-gc --require ${bed.workspace.path("collect.cjs")}`,
});

/** Loaded into the program: collects its garbage when asked, and says in a file what is left. */
const collector = `process.on("SIGUSR2", () => {
  globalThis.gc();
  require("node:fs").writeFileSync(__dirname + "/heap.txt", String(process.memoryUsage().heapUsed));
});`;

/** Bytes that live in the program after a full collection. Throws when it does not answer. */
const heapOf = async (bed: Bed, pid: number): Promise<number> => {
  const file = bed.workspace.path("heap.txt");
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (let tries = 0; tries < 1_000; tries += 1) {
    await sleep(20);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text !== "") return Number(text);
  }
  throw new Error("the program did not answer the question for its heap");
};

const perPrompt = 100;

const descriptorsOf = (pids: readonly number[]): number => {
  let sum = 0;
  for (const pid of pids) {
    try {
      sum += readdirSync(`/proc/${pid}/fd`).length;
    } catch {
      // It ended while we looked.
    }
  }
  return sum;
};

const sampleOf = async (bed: Bed, pid: number, turn: number): Promise<SoakSample> => {
  const pids = tree(pid);
  const memoryMb = pssOf(pid);
  return {
    turn,
    heapMb: (await heapOf(bed, pid)) / 1e6,
    memoryMb,
    descriptors: descriptorsOf(pids),
    processes: pids.length,
  };
};

/** Takes a sample of a process tree every `every` requests, until there were `turns`. */
const watch = async (bed: Bed, pid: number, from: number, turns: number, every: number): Promise<SoakSample[]> => {
  const samples: SoakSample[] = [];
  for (let turn = every; turn <= turns; turn += every) {
    await bed.waitForCount("request", turn, from, 120_000 + every * 2_000);
    samples.push(await sampleOf(bed, pid, turn));
  }
  return samples;
};

const prepare = (bed: Bed): void => {
  bed.workspace.write(
    "a.txt",
    Array.from({ length: 60 }, (_, at) => `line ${at} of a file that is read\n`)
      .join("")
      .repeat(2),
  );
  bed.workspace.write("b.txt", "turn 0\n");
  bed.workspace.write("collect.cjs", collector);
};

/** One headless run of so many turns. Throws when it does not end well. */
export const soakHeadless = async (bed: Bed, target: Target, turns: number, every: number): Promise<SoakSample[]> => {
  prepare(bed);
  const from = bed.reports.length;
  const args = [...target.args, ...soakArgs, "-p", soakPrompt(turns, 1, bed.workspace.project)];
  const child = spawn(target.command, args, {
    cwd: bed.workspace.project,
    env: { ...bed.env, ...soakEnv(bed) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "close") as Promise<[number | null]>;
  const samples = await Promise.race([
    watch(bed, child.pid ?? 0, from, turns, every),
    ended.then(([code]) => {
      throw new Error(`the run ended early with ${code}: ${said.slice(-500)}`);
    }),
  ]);
  const [code] = await ended;
  if (code !== 0 || !said.includes("Soaked 1.")) throw new Error(`the run ended with ${code}: ${said.slice(-500)}`);
  return samples;
};

/** One session on a screen, prompts of a hundred turns each. */
export const soakScreen = async (bed: Bed, target: Target, turns: number, every: number): Promise<SoakSample[]> => {
  prepare(bed);
  const from = bed.reports.length;
  const session = await bed.startReady(target, soakArgs, soakEnv(bed));
  const watched = watch(bed, session.pid, from, turns, every);
  watched.catch(() => undefined); // told below
  for (let done = 0, nth = 1; done < turns; nth += 1) {
    const count = Math.min(perPrompt, turns - done);
    session.write(soakPrompt(count, nth, bed.workspace.project));
    await session.rest(150);
    const seen = session.see(`Soaked ${nth}.`, 120_000 + count * 2_000);
    session.write("\r");
    await seen;
    await session.rest(150);
    done += count;
  }
  const samples = await watched;
  await session.end();
  return samples;
};

/** Growth of a figure between the second quarter and the last one, by their middle values. */
export const growthOf = (samples: readonly SoakSample[], pick: (sample: SoakSample) => number): number => {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  return median(samples.slice(-quarter).map(pick)) - median(samples.slice(quarter, 2 * quarter).map(pick));
};

/** Megabytes of living heap per 100 turns after the first quarter, by least squares. */
export const heapSlope = (samples: readonly SoakSample[]): number => {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const middle = (pick: (sample: SoakSample) => number) => warm.reduce((sum, s) => sum + pick(s), 0) / warm.length;
  const [x, y] = [middle(({ turn }) => turn), middle(({ heapMb }) => heapMb)];
  const over = warm.reduce((sum, s) => sum + (s.turn - x) * (s.heapMb - y), 0);
  const under = warm.reduce((sum, s) => sum + (s.turn - x) ** 2, 0);
  return (over / under) * 100;
};

const turns = Number(process.env.SOAK_TURNS ?? 2_000);

const rowsOf = (name: string, samples: readonly SoakSample[]): Measure[] => {
  const what = `${name}, ${turns} turns`;
  const memory = samples.map(({ memoryMb }) => memoryMb);
  return [
    {
      what: `heap slope, ${what}`,
      note: `${samples.at(0)?.heapMb.toFixed(0)} to ${samples.at(-1)?.heapMb.toFixed(0)} MB`,
      value: heapSlope(samples),
      unit: "MB/100 turns",
      budget: 1,
      budgetOnly: true,
    },
    { what: `largest memory, ${what}`, value: Math.max(...memory), unit: "MB", budget: 500, budgetOnly: true },
    {
      what: `file descriptors more, ${what}`,
      note: `${samples.at(-1)?.descriptors} at the end`,
      value: growthOf(samples, ({ descriptors }) => descriptors),
      unit: "",
      budget: 2,
      budgetOnly: true,
    },
    {
      what: `processes more, ${what}`,
      note: `${samples.at(-1)?.processes} at the end`,
      value: growthOf(samples, ({ processes }) => processes),
      unit: "",
      budget: 0,
      budgetOnly: true,
    },
  ];
};

/** The soak, headless and on a screen. `SOAK_TURNS` sets how long (2,000). */
export const soak = async ({ bed, target }: { bed: Bed; target: Target }): Promise<Measure[]> => {
  const every = Math.max(1, Math.floor(turns / 40));
  const headless = await soakHeadless(bed, target, turns, every);
  const other = await (await import("./bed.js")).Bed.make(); // another server: its soak has not begun
  try {
    return [...rowsOf("headless", headless), ...rowsOf("screen", await soakScreen(other, target, turns, every))];
  } finally {
    await other.dispose();
  }
};
