// Background commands and the end of the program: what a YAML scenario cannot see, processes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import { isAlive } from "../helpers/processes.js";

test("F084 F094 a headless run gives background commands 5 s after its answer, then ends them", async () => {
  const server = await createModelServer({
    answers: [
      { calls: [{ Bash: { command: "echo $$ > pid; sleep 60 & echo $! > child; wait", run_in_background: true } }] },
      { calls: [{ Bash: { command: "until [ -s child ]; do sleep 0.05; done" } }] },
      { say: "Answered." },
    ],
  });
  const workspace = createWorkspace({ server });
  const run = await workspace.runCli(["-p", "serve", "--yolo"], { timeoutMs: 40_000 });
  expect(run).toMatchObject({ code: 0, stdout: "Answered.\n" });
  expect(run.durationMs).toBeGreaterThan(5_000);
  const pids = ["pid", "child"].map((name) => Number(readFileSync(workspace.path(name), "utf8")));
  expect(pids.map(isAlive)).toEqual([false, false]);
}, 90_000);
