// The summary of an agent in the background: asked while it works and has something new, never else.
import { expect, test } from "vitest";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { engineWorld, openEngine } from "../../helpers/engine-session.js";
import { gate } from "../../helpers/gate.js";
import type { RequestBody } from "../../helpers/model-server.js";
import { steppedClock } from "../../helpers/stepped-clock.js";

const asksSummary = (body: RequestBody): boolean =>
  JSON.stringify(body.messages).includes("what it is doing right now");
const patience = { timeout: 15_000 };

test("the small model says every half minute what a background agent does; it shows in its pane and in /tasks", async () => {
  const [first, second] = [gate(), gate()];
  const isTask = (body: RequestBody) => JSON.stringify(body.messages[0]).includes("LONG-TASK");
  const { workspace, server } = await engineWorld(
    {
      sideAnswers: [
        { when: ({ body }) => asksSummary(body), answers: [{ say: "Reads the letters.\n" }] },
        {
          when: ({ body }) => isTask(body),
          answers: [
            { calls: [{ Read: { file_path: "a.txt" } }], holds: [{ at: "start", until: first }] },
            { say: "done", holds: [{ at: "start", until: second }] },
          ],
        },
      ],
    },
    { files: { "a.txt": "alpha\n" } },
  );
  const clock = steppedClock();
  const told: EngineEvent[] = [];
  const session = await openEngine(workspace, { clock, onEvent: (event) => told.push(event) });
  const summaries = () => server.requests.filter(({ body }) => asksSummary(body)).length;
  server.push(
    { calls: [{ Agent: { description: "letters", prompt: "LONG-TASK read", run_in_background: true } }] },
    { say: "started" },
    { say: "told" },
  );
  await session.prompt("start it");
  await expect.poll(clock.isWaiting, patience).toBe(true);
  clock.step(); // its task alone: nothing to ask about
  await expect.poll(clock.isWaiting, patience).toBe(true);
  expect(summaries()).toBe(0);
  first.release();
  await expect.poll(() => server.requests.filter(({ body }) => isTask(body)).length, patience).toBe(2);
  clock.step();
  await expect.poll(() => told.some((event) => event.type === "agent_progress" && event.summary), patience).toBe(true);
  await expect.poll(clock.isWaiting, patience).toBe(true);
  clock.step(); // nothing new since
  await expect.poll(clock.isWaiting, patience).toBe(true);
  expect(summaries()).toBe(1);
  const rows = told.flatMap((event) => (event.type === "background" ? event.tasks : []));
  expect(rows.at(-1)).toMatchObject({ kind: "agent", summary: "Reads the letters" });
  second.release();
  await expect.poll(() => told.some(({ type }) => type === "agent_end"), patience).toBe(true);
  await expect.poll(() => server.turns().length, patience).toBe(3);
  clock.step();
  expect(summaries()).toBe(1);
  expect(clock.isWaiting()).toBe(false);
  await session.close();
});
