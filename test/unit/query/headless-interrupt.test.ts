// SIGINT and SIGTERM of a headless run with agents at work: what ends in the background then starts no other run.
import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { RecordedRequest } from "../../helpers/model-server.js";

const agent = (task: number, run_in_background: boolean) => ({
  Agent: { description: `part ${task}`, prompt: `AGENT-TASK-${task}`, run_in_background },
});
const isAgent = ({ body }: RecordedRequest) => JSON.stringify(body.messages.slice(0, 2)).includes("AGENT-TASK");

test("F182 an interrupt of all ends a headless run with agents at work: no run follows about what ended", async () => {
  const { workspace, server } = await engineWorld({
    answers: [
      { say: "I start them.", calls: [agent(1, true), agent(2, false)] },
      { say: "This must never be asked for." },
    ],
    sideAnswers: [{ when: isAgent, answers: [{ holds: [{ at: "start", until: "never" }] }] }],
  });
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  const outcome = session.prompt("start");
  while (server.requests.filter(isAgent).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  session.engine.interrupt("all");
  expect((await outcome)?.cause).toBe("interrupted");
  // Also a request that `isAgent` took for an agent's would be one too many.
  expect(server.requests.filter(({ kind }) => kind === "main" || kind === "side")).toHaveLength(3);
  expect(server.violations).toEqual([]);
  await session.close();
});
