// Watched commands in a session with a person: what they say wakes the idle session, or reaches the agent that watches.
import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { isAlive } from "../../helpers/processes.js";

const watchCall = (command: string) => ({ calls: [{ Monitor: { description: "the log", command } }] });
const textOf = (value: unknown) => JSON.stringify(value);

test("a line of a watched command wakes the idle session with a run of its own, and the screen lists a monitor", async () => {
  const { workspace, server } = await engineWorld();
  const session = await openEngine(workspace, { clock: handClock(), flags: { permissionMode: "acceptEdits" } });
  const told: unknown[] = [];
  session.engine.subscribe((event) => {
    if (event.type === "background") told.push(event.tasks);
  });
  server.push(
    watchCall("until [ -f go ]; do sleep 0.1; done; echo here"),
    { say: "waiting" },
    { say: "seen" },
    { say: "ended" },
  );
  await session.prompt("watch");
  expect(server.turns()).toHaveLength(2);
  workspace.write("go", "");
  const woken = await server.waitForTurn(3);
  await server.waitForAnswer(3);
  await session.close();
  expect(textOf(woken.body.messages.at(-1))).toContain("<result>here</result>");
  expect(told[0]).toMatchObject([
    { kind: "monitor", status: "running", title: expect.stringContaining("the log: until") },
  ]);
  expect(server.violations).toEqual([]);
});

test("an agent's watched command is told to the agent, not to the main thread", async () => {
  const { workspace, server } = await engineWorld();
  const session = await openEngine(workspace, { clock: handClock() });
  server.push(
    { calls: [{ Agent: { description: "d", prompt: "watch" } }] },
    watchCall("echo $$ > pid; echo here; sleep 300"),
    // A command that takes longer than the first message of the monitor does.
    { calls: [{ Bash: { command: "sleep 1.5" } }] },
    { say: "report" },
    { say: "done" },
  );
  await session.prompt("go");
  expect(isAlive(Number(workspace.read("pid")))).toBe(false); // it ends with its agent
  await session.close();
  const turns = server.turns().map(({ body }) => textOf(body.messages));
  expect(turns[3]).toContain("<result>here</result>");
  expect(turns[4]).not.toContain("<result>here</result>");
});
