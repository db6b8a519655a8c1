// Sessions killed at random moments: each must resume with a request the API takes, and nothing that was printed may be lost.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelAnswer } from "../helpers/model-script.js";
import { type ModelServer, type RecordedRequest, seededRandom, startModelServer } from "../helpers/model-server.js";
import { launcher, Workspace } from "../helpers/workspace.js";

const isLong = process.env.LONG === "1";
const kills = Number(process.env.KILLS ?? (isLong ? 500 : 10));
const seed = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 11));

type Json = Record<string, unknown>;
const kinds = [
  "streaming",
  "tools",
  "rounds",
  "compacting",
  "big results",
  "call running",
  "big record",
  "result written",
  "screen",
] as const;
type Kind = (typeof kinds)[number];

/** Longest time from the moment waited for (the first request, unless `moments` names another) to the kill, in milliseconds. */
const spans: Record<Kind, number> = {
  streaming: 400,
  tools: 900,
  rounds: 1500,
  compacting: 500,
  "big results": 1200,
  "call running": 300,
  "big record": 20,
  "result written": 3,
  screen: 1500,
};

/** Moments within a session that are waited for before the kill: looked for on disk, behind the first request. */
const moments: Partial<Record<Kind, (workspace: Workspace) => boolean>> = {
  "call running": (workspace) => workspace.exists("running"),
  "big record": (workspace) => transcriptSize(workspace) > 20_000, // the first piece of it is on disk
  "result written": (workspace) => transcriptText(workspace).includes('"tool_result"'),
};

const sessionId = "6b1f2b1e-0000-4000-8000-00000000c4a5";
const lastText = ({ body }: RecordedRequest): string => JSON.stringify(body.messages.at(-1));
const answersSoFar = ({ body }: RecordedRequest): number =>
  body.messages.filter(({ role }) => role === "assistant").length;

const words = (n: number): string => `word-${n}a word-${n}b word-${n}c and so on to the end of answer ${n}.`;

const script: Record<Exclude<Kind, "compacting" | "screen">, (n: number) => ModelAnswer> = {
  "call running": (n) => ({ say: words(n), calls: [{ Bash: { command: "touch running; sleep 30" } }] }),
  "big record": (n) => ({ say: `${words(n)} ${"a large answer ".repeat(100_000)}`, calls: [{ TaskList: {} }] }),
  "result written": (n) => ({ say: words(n), calls: n < 4 ? [{ Read: { file_path: "a.txt" } }] : [] }),
  streaming: (n) => ({
    thinking: `thought ${n}`,
    say: words(n),
    calls: n < 3 ? [{ TaskList: {} }] : [],
    deltaChars: 4,
    deltaDelayMs: 3,
  }),
  tools: (n) =>
    n < 3
      ? {
          say: words(n),
          calls: [{ Bash: { command: `echo out-${n}; sleep 0.2; echo end-${n}` } }, { Read: { file_path: "a.txt" } }],
        }
      : { say: words(n) },
  rounds: (n) =>
    n < 8
      ? {
          thinking: `thought ${n}`,
          say: words(n),
          calls: [{ Read: { file_path: "a.txt" } }, { Bash: { command: `echo out-${n} >> log.txt` } }],
        }
      : { say: words(n) },
  "big results": (n) =>
    n < 4 ? { say: words(n), calls: [{ Bash: { command: `seq ${n}000000 ${n}200000` } }] } : { say: words(n) },
};

/** What the model says, by what it is asked: the same function serves the killed process and the one that resumes. */
const model =
  (kind: Kind) =>
  (request: RecordedRequest): ModelAnswer => {
    if (lastText(request).includes("Stop working and write a summary"))
      return { say: "The summary.", deltaChars: 1, deltaDelayMs: 20 };
    if (lastText(request).includes("GO ON")) return { say: "Resumed." };
    if (kind === "compacting") return { say: words(answersSoFar(request)) };
    return script[kind === "screen" ? "rounds" : kind](answersSoFar(request));
  };

interface Killed {
  /** Whole lines that came out. */
  lines: Json[];
  wasKilled: boolean;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Where and when a session is killed. */
interface Plan {
  workspace: Workspace;
  server: ModelServer;
  kind: Kind;
  /** After its moment; undefined: it may end by itself. */
  afterMs: number | undefined;
}

/** Resolves `afterMs` after the plan's moment, or when the session has ended. However slow the machine, it waits for the moment. */
const momentOf = async ({ workspace, server, kind, afterMs = 0 }: Plan, hasEnded: () => boolean): Promise<void> => {
  const turnsBefore = server.requests.length;
  while (server.requests.length === turnsBefore && !hasEnded()) await pause(5);
  const isThere = moments[kind];
  while (isThere && !isThere(workspace) && !hasEnded()) await pause(1);
  await pause(afterMs);
};

/** Runs the program and kills it as planned. */
const runAndKill = (plan: Plan, args: string[]): Promise<Killed> => {
  const { workspace } = plan;
  const child = spawn(launcher, args, {
    cwd: workspace.project,
    env: workspace.env(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  if (plan.afterMs !== undefined) void momentOf(plan, hasEnded).then(() => child.kill("SIGKILL"));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const whole = out
        .slice(0, out.lastIndexOf("\n") + 1)
        .split("\n")
        .filter(Boolean);
      resolve({ lines: whole.map((line) => JSON.parse(line) as Json), wasKilled: code === null });
    });
  });
};

/** The same on a screen: what was typed must survive. */
const killScreen = async (plan: Plan, args: string[]): Promise<Killed> => {
  const pty = plan.workspace.startCli(args, { timeoutMs: 60_000 });
  await pty.waitFor("Type a request");
  pty.type("PROMPT ONE");
  await pty.waitFor("❯ PROMPT ONE");
  const moment = momentOf(plan, () => false);
  pty.press("enter");
  await moment;
  pty.kill("SIGKILL");
  await pty.exit;
  return { lines: [], wasKilled: true };
};

const streamJson = ["--output-format", "stream-json", "--verbose", "--allowedTools", "Bash,Read", "-p"];

/** Texts and ids of the messages that were printed. */
const printedOf = (lines: readonly Json[]): string[] =>
  lines.flatMap(({ type, message }) => {
    if (type !== "assistant" && type !== "user") return [];
    const { content } = message as { content: string | Json[] };
    if (typeof content === "string") return [content];
    return content.flatMap(({ type: kind, text, thinking, id, tool_use_id: callId, content: inner }) => {
      if (kind === "tool_result") return [String(callId), ...(typeof inner === "string" ? [inner] : [])];
      return [text ?? thinking ?? id ?? ""].map(String);
    });
  });

const transcriptFile = ({ configDir }: Workspace): string => {
  const folder = join(configDir, "projects");
  const project = existsSync(folder) ? (readdirSync(folder)[0] ?? "") : "";
  return join(folder, project, `${sessionId}.jsonl`);
};

const transcriptSize = (workspace: Workspace): number => {
  const file = transcriptFile(workspace);
  return existsSync(file) ? statSync(file).size : 0;
};

const transcriptText = (workspace: Workspace): string => {
  const file = transcriptFile(workspace);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

const transcriptOf = (workspace: Workspace): { text: string; records: Json[] } => {
  const text = readFileSync(transcriptFile(workspace), "utf8");
  const records = text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Json];
    } catch {
      return []; // the line that was being written
    }
  });
  return { text, records };
};

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** One session: killed, looked at, resumed. Throws with the round's name; true when the kill came before its end. */
const playRound = async (name: string, kind: Kind, afterMs: number): Promise<boolean> => {
  const server = await startModelServer({ answers: Array.from({ length: 60 }, () => model(kind)) });
  const workspace = new Workspace({ files: { "a.txt": "text of a\n" }, server });
  const plan: Plan = { workspace, server, kind, afterMs };
  const args = ["--session-id", sessionId];
  try {
    const first =
      kind === "screen"
        ? await killScreen(plan, [...args, "--allowedTools", "Bash,Read"])
        : await runAndKill({ ...plan, afterMs: kind === "compacting" ? undefined : afterMs }, [
            ...args,
            ...streamJson,
            "PROMPT ONE",
          ]);
    const more =
      kind === "compacting" ? await runAndKill(plan, ["--resume", sessionId, ...streamJson, "/compact"]) : undefined;
    const printed = printedOf([...first.lines, ...(more?.lines ?? [])]);
    const { text } = transcriptOf(workspace);
    expect({ name, lost: printed.filter((part) => !text.includes(quoted(part))) }).toEqual({ name, lost: [] });
    const resumed = await workspace.runCli(["--resume", sessionId, "-p", "GO ON"], { timeoutMs: 120_000 });
    expect({ name, out: resumed.stdout, violations: server.violations }).toEqual({
      name,
      out: "Resumed.\n",
      violations: [],
    });
    const { records } = transcriptOf(workspace);
    const sent = JSON.stringify(server.turns().at(-1)?.body.messages);
    // What a compaction replaced is on disk and on the screen, but no longer with the model.
    const isCompacted = records.some(({ subtype }) => subtype === "compact_boundary");
    const missing = isCompacted ? [] : printed.filter((part) => !sent.includes(quoted(part)));
    expect({ name, missing }).toEqual({ name, missing: [] });
    expect({ name, prompt: isCompacted || sent.includes("PROMPT ONE") }).toEqual({ name, prompt: true });
    return (more ?? first).wasKilled;
  } finally {
    await workspace.dispose();
    await server.close();
  }
};

test(
  `P2 F048 F062 ${kills} sessions killed at random moments resume with a valid request, and nothing printed is lost`,
  async () => {
    const random = seededRandom(seed);
    if (isLong) console.log(`crash test: ${kills} kills, seed ${seed}`);
    let killed = 0;
    for (let round = 0; round < kills; round++) {
      const kind = kinds[round % kinds.length] ?? "rounds";
      const afterMs = Math.floor(random() * spans[kind]);
      if (await playRound(`round ${round} (seed ${seed}): ${kind}, killed after ${afterMs} ms`, kind, afterMs))
        killed++;
    }
    expect(killed).toBeGreaterThan(kills / 2); // else the sessions were over before the kill and nothing was tried
  },
  60_000 + kills * 60_000,
);
