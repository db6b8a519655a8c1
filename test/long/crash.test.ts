// Sessions killed at random moments: each must resume with a request the API takes, and nothing that was printed may be lost.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelAnswer } from "../helpers/model-script.js";
import { type ModelServer, type RecordedRequest, seededRandom, startModelServer } from "../helpers/model-server.js";
import { launcher, Workspace } from "../helpers/workspace.js";

const isLong = process.env.LONG === "1";
const kills = Number(process.env.KILLS ?? (isLong ? 500 : 10));
const seed = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 11));

type Json = Record<string, unknown>;
type Kind = "streaming" | "tools" | "rounds" | "compacting" | "big results";
const kinds: readonly Kind[] = ["streaming", "tools", "rounds", "compacting", "big results"];

/** Longest time from the first request to the kill, in milliseconds: about what the session takes. */
const spans: Record<Kind, number> = { streaming: 400, tools: 900, rounds: 1500, compacting: 500, "big results": 1200 };

const lastText = ({ body }: RecordedRequest): string => JSON.stringify(body.messages.at(-1));
const answersSoFar = ({ body }: RecordedRequest): number =>
  body.messages.filter(({ role }) => role === "assistant").length;

const words = (n: number): string => `word-${n}a word-${n}b word-${n}c and so on to the end of answer ${n}.`;

const rounds: Record<Exclude<Kind, "compacting">, (n: number) => ModelAnswer> = {
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
    return kind === "compacting" ? { say: words(answersSoFar(request)) } : rounds[kind](answersSoFar(request));
  };

interface Killed {
  /** Whole lines that came out. */
  lines: Json[];
  wasKilled: boolean;
}

/** Runs the program and kills it `afterMs` after its first request has come (or after 10 s without one). */
const runAndKill = (workspace: Workspace, server: ModelServer, args: string[], afterMs: number): Promise<Killed> => {
  const turnsBefore = server.requests.length;
  const child = spawn(launcher, args, {
    cwd: workspace.project,
    env: workspace.env(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  void (async () => {
    const deadline = Date.now() + 10_000;
    while (server.requests.length === turnsBefore && child.exitCode === null && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill("SIGKILL");
  })();
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

const transcriptOf = (workspace: Workspace, id: string): { text: string; records: Json[] } => {
  const folder = join(workspace.configDir, "projects");
  const text = readFileSync(join(folder, readdirSync(folder)[0] ?? "", `${id}.jsonl`), "utf8");
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
  const id = "6b1f2b1e-0000-4000-8000-00000000c4a5";
  try {
    const first = await runAndKill(
      workspace,
      server,
      ["--session-id", id, ...streamJson, "PROMPT ONE"],
      kind === "compacting" ? 60_000 : afterMs,
    );
    const more =
      kind === "compacting"
        ? await runAndKill(workspace, server, ["--resume", id, ...streamJson, "/compact"], afterMs)
        : undefined;
    const printed = printedOf([...first.lines, ...(more?.lines ?? [])]);
    const { text } = transcriptOf(workspace, id);
    expect({ name, lost: printed.filter((part) => !text.includes(quoted(part))) }).toEqual({ name, lost: [] });
    const resumed = await workspace.runCli(["--resume", id, "-p", "GO ON"], { timeoutMs: 60_000 });
    expect({ name, out: resumed.stdout, violations: server.violations }).toEqual({
      name,
      out: "Resumed.\n",
      violations: [],
    });
    const { records } = transcriptOf(workspace, id);
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
  isLong ? 7_200_000 : 240_000,
);
