// What exactly goes over the wire: early starts, thinking blocks byte for byte, cache marks.
import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import { gate } from "../helpers/gate.js";
import type { RecordedRequest } from "../helpers/model-server.js";

type Block = { type: string; [key: string]: unknown };
const blocksOf = ({ body }: RecordedRequest): Block[] =>
  body.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));

test("a safe call starts while the model still streams, an unsafe one waits", { timeout: 60_000 }, async () => {
  const stop = gate();
  const server = await createModelServer({
    answers: [
      {
        calls: [{ Bash: { command: "cat pipe" } }, { Write: { file_path: "late.txt", content: "late\n" } }],
        sayAfter: "I go on talking.",
        holds: [{ at: "beforeStop", until: stop }],
      },
      { say: "Done." },
    ],
  });
  const workspace = createWorkspace({ server });
  execFileSync("mkfifo", [workspace.path("pipe")]);
  const run = workspace.runCli(["--accept-edits", "-p", "go"], { timeoutMs: 30_000 });
  // Opening a pipe for writing succeeds when a reader has opened it: the command runs now.
  const pipe = await open(workspace.path("pipe"), "w");
  const startedAt = performance.timeOrigin + performance.now();
  expect(server.turns()[0]?.stopSentAt).toBeUndefined();
  expect(workspace.exists("late.txt")).toBe(false);
  await pipe.write("through the pipe\n");
  await pipe.close();
  stop.release();
  const { stdout, stderr } = await run;
  expect({ stdout, stderr }).toEqual({ stdout: "Done.\n", stderr: "" });
  const [first, second] = server.turns();
  expect(startedAt).toBeLessThan(first?.stopSentAt ?? 0);
  expect(JSON.stringify(second?.body.messages)).toContain("through the pipe");
  expect(workspace.read("late.txt")).toBe("late\n");
  expect(server.violations).toEqual([]);
});

test("F052 thinking blocks go back byte for byte and in place, also after a resume", { timeout: 60_000 }, async () => {
  const odd = 'Ünïcode \u2028 "quotes" \\ back\\slash\n\n\ttab  trailing  ';
  const server = await createModelServer({
    answers: [
      {
        thinking: [{ text: odd, signature: "U0lHLTE=" }],
        redacted: "UkVEQUNURUQ=",
        say: "Reading.",
        calls: [{ Read: { file_path: "a.txt" } }],
        deltaChars: 2,
        cutSeed: 7,
      },
      { thinking: [{ text: "more", signature: "U0lHLTI=" }], say: "Read.", gzip: true },
      { say: "Resumed." },
    ],
  });
  const workspace = createWorkspace({ server, files: { "a.txt": "a\n" } });
  await workspace.runCli(["-p", "read"]);
  await workspace.runCli(["-p", "--continue", "and again"]);
  const expected = [
    { type: "thinking", thinking: odd, signature: "U0lHLTE=" },
    { type: "redacted_thinking", data: "UkVEQUNURUQ=" },
  ];
  const thinkingIn = (n: number) => blocksOf(server.turns()[n]!).filter(({ type }) => /thinking/.test(type));
  expect(thinkingIn(1)).toEqual(expected);
  expect(thinkingIn(2).slice(0, 2)).toEqual(expected);
  expect(server.violations).toEqual([]);
});

test("cache marks stand on the last tool, the last static system block and the last two user messages", async () => {
  const call = { calls: [{ Read: { file_path: "a.txt" } }] };
  const server = await createModelServer({ answers: [call, call, call, { say: "Done." }] });
  const workspace = createWorkspace({ server, files: { "a.txt": "a\n" } });
  await workspace.runCli(["-p", "read"]);
  const { body } = server.turns()[3]!;
  const isMarked = (block: object) => "cache_control" in block;
  const marksOf = (list: readonly object[] = []) => list.flatMap((block, i) => (isMarked(block) ? [i] : []));
  expect(marksOf(body.tools)).toEqual([(body.tools?.length ?? 0) - 1]);
  const system = Array.isArray(body.system) ? body.system : [];
  expect(marksOf(system)).toHaveLength(1);
  const users = body.messages.filter(({ role }) => role === "user");
  const marked = users.map(({ content }) => typeof content !== "string" && content.some(isMarked));
  expect(marked).toEqual(users.map((_, i) => i >= users.length - 2));
  expect(JSON.stringify(body).match(/"cache_control"/g)).toHaveLength(4);
  // The prefix of the first request is that of the last one.
  const first = server.turns()[0]!.body;
  const plain = (value: unknown) => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
  expect([plain(first.tools), plain(first.system)]).toEqual([plain(body.tools), plain(body.system)]);
});
