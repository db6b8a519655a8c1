// The rows of the benchmark: what is measured, how, and the budget it is held to.
import type { Bed } from "./bed.js";
import { bareNodePss, type Cost, cpuOf, median, percentile, pssOf, sleep, timeRuns } from "./machine.js";
import type { Target } from "./session.js";
import { marker } from "./stream-server.js";

export interface Measure {
  what: string;
  /** Figures behind the value, shown after it. */
  note?: string;
  value: number;
  unit: string;
  /** Largest value that is within budget. */
  budget: number;
  /** Best of seven peers, where the design has a figure. */
  bestPeer?: string;
  /** Rows that are not held against a peer side by side. */
  budgetOnly?: boolean;
}

export interface Context {
  bed: Bed;
  target: Target;
  /** Cost of `node -e 0` in this run. */
  n: Cost;
}

interface Group {
  name: string;
  run: (context: Context) => Promise<Measure[]>;
}

const runs = 7;
const epoch = () => performance.timeOrigin + performance.now();
const toEpoch = (at: number) => performance.timeOrigin + at;

const startup = async ({ bed, target, n }: Context): Promise<Measure[]> => {
  const version = timeRuns(runs, target.command, [...target.args, "--version"], bed.env, bed.workspace.project);
  const frames: Cost[] = [];
  for (let i = 0; i < runs; i++) {
    const session = bed.start(target);
    frames.push(await session.firstEcho());
    await session.end();
  }
  return [
    { what: "claude --version, wall", value: version.wallMs / n.wallMs, unit: "N", budget: 1.2, bestPeer: "1.4 N" },
    {
      what: "first usable frame, wall",
      value: median(frames.map((f) => f.wallMs)) / n.wallMs,
      unit: "N",
      budget: 5,
      bestPeer: "9.4 N",
    },
    {
      what: "first usable frame, CPU",
      value: median(frames.map((f) => f.cpuMs)) / n.cpuMs,
      unit: "N",
      budget: 3.5,
      bestPeer: "9.8 N",
    },
  ];
};

const headless = async ({ bed, target, n }: Context): Promise<Measure[]> => {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const from = bed.reports.length;
    const startedAt = epoch();
    const ended = bed.workspace.run(target.command, [...target.args, "-p", "hello"]);
    times.push((await bed.waitFor("request", from)).at - startedAt);
    await ended;
  }
  return [
    {
      what: "headless one-shot, spawn to first request",
      value: median(times) / n.wallMs,
      unit: "N",
      budget: 4,
      bestPeer: "8.2 N",
    },
  ];
};

const tool = async ({ bed, target, n }: Context): Promise<Measure[]> => {
  const rounds = 12;
  const from = bed.reports.length;
  const args = [...target.args, "-p", `tools ${rounds}`, "--allowedTools", "Bash"];
  await bed.workspace.run(target.command, args, { timeoutMs: 60_000 });
  const times: number[] = [];
  let stoppedAt: number | undefined;
  for (const report of bed.reports.slice(from)) {
    if (report.kind === "stopped") stoppedAt = report.at;
    if (report.kind === "request" && stoppedAt !== undefined) times.push(report.at - stoppedAt);
  }
  return [
    {
      // The first rounds load what later ones have.
      what: "tool round, headless (end of answer to next request)",
      value: median(times.slice(2)) / n.wallMs,
      unit: "N",
      budget: 0.35,
      bestPeer: "0.44 N",
    },
  ];
};

const idle = async ({ bed, target }: Context): Promise<Measure[]> => {
  const bare = await bareNodePss();
  const session = await bed.startReady(target);
  await sleep(5_000);
  const memory = pssOf(session.pid);
  const before = cpuOf(session.pid);
  await sleep(5_000);
  const cpu = (cpuOf(session.pid) - before) / 5_000;
  await session.end();
  return [
    {
      what: "idle memory, PSS of the tree against bare Node",
      note: `${memory.toFixed(0)} MB`,
      value: memory / bare,
      unit: "x",
      budget: 1.6,
    },
    { what: "idle CPU after 5 s", value: cpu * 100, unit: "% of a core", budget: 0.1, budgetOnly: true },
  ];
};

const echo = async ({ bed, target }: Context): Promise<Measure[]> => {
  const empty = await bed.startReady(target);
  const from = empty.output.length;
  const { echoMs, bytesPerKey } = await empty.typeKeys(200);
  const clears = empty.clearsSince(from);
  await empty.end();
  const big = await bed.startReady(target, ["--resume", bed.transcript(10_000)]);
  const full = await big.typeKeys(200);
  await big.end();
  return [
    { what: "key to echo p50, empty session", value: median(echoMs), unit: "ms", budget: 2, budgetOnly: true },
    { what: "key to echo p95, empty session", value: percentile(echoMs, 95), unit: "ms", budget: 4, budgetOnly: true },
    {
      what: "key to echo p50, 10,000 messages against empty",
      value: median(full.echoMs) / median(echoMs),
      unit: "x",
      budget: 1.15,
      budgetOnly: true,
    },
    { what: "bytes to the terminal per key", value: bytesPerKey, unit: "B", budget: 150, budgetOnly: true },
    { what: "full clears after start, typing", value: clears, unit: "", budget: 0, budgetOnly: true },
  ];
};

const scroll = async ({ bed, target }: Context): Promise<Measure[]> => {
  const at = async (messages: number) => {
    const session = await bed.startReady(target, ["--resume", bed.transcript(messages)]);
    const keys = (await session.typeKeys(200)).echoMs;
    const from = session.output.length;
    const wheel = await session.wheel(200);
    const clears = session.clearsSince(from);
    await session.end();
    return { keys: percentile(keys, 99), wheel: percentile(wheel, 99), clears };
  };
  const small = await at(100);
  const large = await at(10_000);
  const shown = (a: number, b: number) => `${a.toFixed(1)} / ${b.toFixed(1)} ms`;
  return [
    {
      what: "200 keys, p99 at 10,000 against 100 messages",
      note: shown(large.keys, small.keys),
      value: large.keys / small.keys,
      unit: "x",
      budget: 1.2,
      budgetOnly: true,
    },
    {
      what: "200 wheel steps, p99 at 10,000 against 100 messages",
      note: shown(large.wheel, small.wheel),
      value: large.wheel / small.wheel,
      unit: "x",
      budget: 1.2,
      budgetOnly: true,
    },
    {
      what: "full clears after start, scrolling",
      value: small.clears + large.clears,
      unit: "",
      budget: 0,
      budgetOnly: true,
    },
  ];
};

/** Time each marker first shows in the output, in milliseconds since the epoch. */
const firstShown = (output: { at: number; text: string }[], count: number): (number | undefined)[] => {
  const shown: (number | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const { at, text } of output)
    for (const [, digits] of text.matchAll(/w(\d{4})/g)) {
      const n = Number(digits);
      if (n < count) shown[n] ??= toEpoch(at);
    }
  return shown;
};

const stream = async ({ bed, target }: Context): Promise<Measure[]> => {
  const perSecond = 200;
  const seconds = 7;
  const count = perSecond * seconds;
  const session = await bed.startReady(target);
  const from = bed.reports.length;
  session.write(`paced ${count} ${perSecond}`);
  await session.rest(100);
  session.write("\r");
  await session.see(marker(perSecond));
  const output = session.output.length;
  const cpuBefore = cpuOf(session.pid);
  const startedAt = performance.now();
  await sleep(3_000);
  const elapsed = performance.now() - startedAt;
  const cpu = (cpuOf(session.pid) - cpuBefore) / elapsed;
  const bytes = (session.bytesSince(output) / elapsed) * 1000;
  const { echoMs } = await session.typeKeys(60, 20);
  const { at: sentAt } = await bed.waitFor("deltas", from);
  await session.rest();
  const shown = firstShown(session.output, count);
  // Only words that were seen count: those scrolled past within one frame have no arrival of their own.
  const lag = sentAt.flatMap((sent, i) => (shown[i] === undefined ? [] : [shown[i] - sent])).slice(perSecond);
  const clears = session.clearsSince(output);
  await session.end();
  return [
    {
      what: "key to echo p95, streaming 200 deltas/s",
      value: percentile(echoMs, 95),
      unit: "ms",
      budget: 8,
      bestPeer: "15 ms",
    },
    {
      what: "display lag p95, streaming 200 deltas/s",
      value: percentile(lag, 95),
      unit: "ms",
      budget: 30,
      bestPeer: "32 ms",
    },
    { what: "CPU, streaming 200 deltas/s", value: cpu, unit: "cores", budget: 0.3, bestPeer: "0.39 cores" },
    {
      what: "bytes to the terminal per second of stream",
      value: bytes / 1024,
      unit: "KB",
      budget: 60,
      budgetOnly: true,
    },
    { what: "full clears after start, streaming", value: clears, unit: "", budget: 0, budgetOnly: true },
  ];
};

/** Five agents at once, their panes on the screen, each streaming 40 deltas a second. */
const agents = async ({ bed, target }: Context): Promise<Measure[]> => {
  const session = await bed.startReady(target);
  session.write("agents 5 400");
  await session.rest(100);
  session.write("\r");
  await session.see("part 5");
  await sleep(1_000);
  const output = session.output.length;
  const cpuBefore = cpuOf(session.pid);
  const startedAt = performance.now();
  await sleep(3_000);
  const elapsed = performance.now() - startedAt;
  const cpu = (cpuOf(session.pid) - cpuBefore) / elapsed;
  const bytes = (session.bytesSince(output) / elapsed) * 1000;
  const { echoMs } = await session.typeKeys(60, 20);
  const clears = session.clearsSince(output);
  await session.end();
  const what = "five agents at 40 deltas/s each";
  return [
    { what: `key to echo p95, ${what}`, value: percentile(echoMs, 95), unit: "ms", budget: 8, budgetOnly: true },
    { what: `CPU, ${what}`, value: cpu, unit: "cores", budget: 0.3, budgetOnly: true },
    {
      what: `bytes to the terminal per second, ${what}`,
      value: bytes / 1024,
      unit: "KB",
      budget: 60,
      budgetOnly: true,
    },
    { what: `full clears, ${what}`, value: clears, unit: "", budget: 0, budgetOnly: true },
  ];
};

const fullSpeed = async ({ bed, target, n }: Context): Promise<Measure[]> => {
  const count = 4_000;
  const costs: (Cost & { gapMs: number; bytes: number })[] = [];
  for (let i = 0; i < 3; i++) {
    const session = await bed.startReady(target);
    const from = bed.reports.length;
    session.write(`fast ${count}`);
    await session.rest(100);
    const output = session.output.length;
    const cpuBefore = cpuOf(session.pid);
    const last = session.see(marker(count - 1), 60_000);
    session.write("\r");
    const seenAt = toEpoch(await last);
    const cpuMs = cpuOf(session.pid) - cpuBefore;
    const { at: sentAt } = await bed.waitFor("deltas", from);
    const firstSent = sentAt[0] ?? seenAt;
    const times = [firstSent, ...session.output.slice(output).map(({ at }) => toEpoch(at))].filter(
      (at) => at >= firstSent && at <= seenAt,
    );
    const gaps = times.slice(1).map((at, k) => at - (times[k] ?? at));
    costs.push({ wallMs: seenAt - firstSent, cpuMs, gapMs: Math.max(...gaps), bytes: session.bytesSince(output) });
    await session.end();
  }
  const middle = (pick: (cost: (typeof costs)[number]) => number) => median(costs.map(pick));
  return [
    {
      what: "answer of 4,000 deltas at full speed, wall",
      value: middle((c) => c.wallMs) / n.wallMs,
      unit: "N",
      budget: 4,
      bestPeer: "5.5 N",
    },
    {
      what: "answer of 4,000 deltas at full speed, CPU",
      value: middle((c) => c.cpuMs) / n.cpuMs,
      unit: "N",
      budget: 6,
      bestPeer: "8.8 N",
    },
    { what: "largest gap in that answer", value: middle((c) => c.gapMs), unit: "ms", budget: 50, budgetOnly: true },
    {
      what: "bytes to the terminal per full-speed answer",
      value: middle((c) => c.bytes) / 1024,
      unit: "KB",
      budget: 20,
      budgetOnly: true,
    },
  ];
};

const resume = async ({ bed, target }: Context): Promise<Measure[]> => {
  const id = bed.transcript(10_000);
  const first = async (args: string[]) => {
    const session = bed.start(target, args);
    const { wallMs } = await session.firstEcho();
    await session.rest(500);
    const memory = pssOf(session.pid);
    await session.end();
    return { wallMs, memory };
  };
  const empty: { wallMs: number; memory: number }[] = [];
  const full: { wallMs: number; memory: number }[] = [];
  for (let i = 0; i < 5; i++) {
    empty.push(await first([]));
    full.push(await first(["--resume", id]));
  }
  const wall = (list: typeof empty) => median(list.map((l) => l.wallMs));
  const memory = (list: typeof empty) => median(list.map((l) => l.memory));
  return [
    {
      what: "resume of 10,000 messages, first echo against empty",
      value: wall(full) / wall(empty),
      unit: "x",
      budget: 1.3,
    },
    { what: "memory growth at 10,000 messages", value: memory(full) - memory(empty), unit: "MB", budget: 60 },
  ];
};

export const groups: readonly Group[] = [
  { name: "startup", run: startup },
  { name: "headless", run: headless },
  { name: "idle", run: idle },
  { name: "echo", run: echo },
  { name: "scroll", run: scroll },
  { name: "stream", run: stream },
  { name: "agents", run: agents },
  { name: "fullspeed", run: fullSpeed },
  { name: "tool", run: tool },
  { name: "resume", run: resume },
  { name: "soak", run: async (context) => (await import("./soak.js")).soak(context) },
  { name: "tools", run: async () => (await import("./tools.js")).toolTokens() },
  { name: "decisions", run: async () => (await import("./permissions.js")).decisions() },
  { name: "classifier", run: async () => (await import("./permissions.js")).classifier() },
];
