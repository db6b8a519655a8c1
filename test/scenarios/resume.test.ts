// A session goes on after a normal exit and after kill -9, and the request after it begins like the one before.
import { expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import type { RecordedRequest } from "../helpers/model-server.js";
import { isAlive, pidIn } from "../helpers/processes.js";
import { resultsOnWire } from "../helpers/scenario-match.js";

/** The messages of a request as text, without cache marks: these wander to the newest messages. */
const messagesOf = ({ body }: RecordedRequest): string[] =>
  body.messages.map((message) => JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, ""));

const idOf = (stdout: string): string => JSON.parse(stdout).session_id;

test("F050 after a normal exit all four results are the same bytes and the request is a continuation", async () => {
  const names = ["a", "b", "c", "d"];
  const server = await createModelServer({
    answers: [
      { thinking: "four files", calls: names.map((name) => ({ Read: { file_path: `${name}.txt` } })) },
      { say: "All read." },
      { say: "Going on." },
      { say: "Once more." },
    ],
  });
  const files = Object.fromEntries(names.map((name) => [`${name}.txt`, `${name} ✓\r\n\ttab\n`]));
  const workspace = createWorkspace({ server, files });
  const first = await workspace.runCli(["-p", "--output-format", "json", "read all"]);
  const byId = await workspace.runCli(["-p", "--resume", idOf(first.stdout), "go on"]);
  expect(byId).toMatchObject({ code: 0, stdout: "Going on.\n" });
  expect(await workspace.runCli(["-p", "--continue", "and on"])).toMatchObject({ code: 0, stdout: "Once more.\n" });
  const [, second, third, fourth] = server.turns();
  const before = messagesOf(second!);
  expect(messagesOf(third!).slice(0, before.length)).toEqual(before);
  const later = messagesOf(third!);
  expect(messagesOf(fourth!).slice(0, later.length)).toEqual(later);
  expect(resultsOnWire(server.turns()).map(({ isError }) => isError)).toEqual([false, false, false, false]);
  expect(server.violations).toEqual([]);
});

test("F048 after kill -9 in the middle of a command the next request is valid and the repair is kept", async () => {
  const server = await createModelServer({
    answers: [
      { calls: [{ Read: { file_path: "a.txt" } }, { Bash: { command: "echo $$ > begun; exec sleep 60" } }] },
      { say: "Repaired." },
      { say: "Still valid." },
    ],
  });
  const workspace = createWorkspace({ server, files: { "a.txt": "a\n" } });
  const pty = workspace.startCli(["--yolo"], { timeoutMs: 20_000 });
  await pty.waitFor("Type a request");
  pty.type("sleep");
  await pty.waitFor("❯ sleep");
  await pty.settle();
  pty.press("enter");
  const child = await pidIn(workspace, "begun");
  pty.kill("SIGKILL");
  await pty.exit;
  const resumed = await workspace.runCli(["-p", "--continue", "continue"]);
  expect(resumed).toMatchObject({ code: 0, stdout: "Repaired.\n" });
  const again = await workspace.runCli(["-p", "--continue", "continue again"]);
  expect(again).toMatchObject({ code: 0, stdout: "Still valid.\n" });
  const results = resultsOnWire(server.turns());
  expect(results.map(({ name, isError }) => [name, isError])).toEqual([
    ["Read", false],
    ["Bash", true],
  ]);
  expect(results[0]?.text).toContain("a");
  expect(results[1]?.text).toMatch(/interrupted/);
  const later = messagesOf(server.turns()[1]!);
  expect(messagesOf(server.turns()[2]!).slice(0, later.length)).toEqual(later);
  expect(server.violations).toEqual([]);
  if (isAlive(child)) process.kill(child, "SIGKILL"); // nobody else can end it: its parent was killed
});

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("F094 %s ends a headless run and its commands with %i", async (signal, code) => {
  const server = await createModelServer({
    answers: [{ calls: [{ Bash: { command: "sleep 60 & echo $! > background; echo $$ > begun; sleep 60" } }] }],
  });
  const workspace = createWorkspace({ server });
  const pty = workspace.startCli(["-p", "sleep", "--yolo"], { timeoutMs: 20_000 });
  const shell = await pidIn(workspace, "begun");
  const background = await pidIn(workspace, "background");
  const sentAt = performance.now();
  pty.kill(signal);
  expect((await pty.exit).code).toBe(code);
  expect(performance.now() - sentAt).toBeLessThan(4_000);
  expect([isAlive(shell), isAlive(background)]).toEqual([false, false]);
});
