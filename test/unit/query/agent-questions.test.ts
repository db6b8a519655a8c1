// Questions of agents in the background: each waits by itself, labelled, whatever else is being asked.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { EngineEvent, EventOf } from "../../../src/protocol/events.js";
import { engineWorld, openEngine } from "../../helpers/engine-session.js";
import type { RequestBody } from "../../helpers/model-server.js";
import { steppedClock } from "../../helpers/stepped-clock.js";

const patience = { timeout: 15_000 };
const isTask =
  (name: string) =>
  ({ body }: { body: RequestBody }): boolean =>
    JSON.stringify(body.messages[0]).includes(name);

test("F184 two agents in the background ask at the same time, and the parent as well: each question waits, by name and colour, for its own answer", async () => {
  const asks = (name: string) => ({
    when: isTask(`${name}-TASK`),
    answers: [{ calls: [{ Bash: { command: `touch ${name}.txt` } }] }, { say: `${name} is there` }],
  });
  const { workspace, server } = await engineWorld({ sideAnswers: [asks("ONE"), asks("TWO")] });
  const told: EngineEvent[] = [];
  const session = await openEngine(workspace, { clock: steppedClock(), onEvent: (event) => told.push(event) });
  const start = (name: string) => ({
    Agent: { description: name, prompt: `${name}-TASK`, name: name.toLowerCase(), run_in_background: true },
  });
  const questions = () => told.filter((event): event is EventOf<"question"> => event.type === "question");
  const idOf = (name: string): string =>
    questions().find(({ question }) => question.kind === "permission" && question.agent?.name === name)?.question.id ??
    "";
  server.push(
    { calls: [start("ONE"), start("TWO")] },
    { say: "both work" },
    { calls: [{ Bash: { command: "touch main.txt" } }] },
    { say: "mine is there" },
    { say: "told" },
    { say: "told again" },
  );
  await session.prompt("start two");
  await expect.poll(() => questions().length, patience).toBe(2);
  const agents = questions().map(({ question }) => (question.kind === "permission" ? question.agent : undefined));
  expect(agents.map((agent) => agent?.name).sort()).toEqual(["one", "two"]);
  expect(new Set(agents.map((agent) => agent?.color)).size).toBe(2);
  await session.prompt("and you"); // the parent's own question is answered while both wait
  expect(existsSync(workspace.path("main.txt"))).toBe(true);
  session.engine.answer(idOf("two"), { kind: "permission", outcome: "allow" });
  await expect.poll(() => existsSync(workspace.path("TWO.txt")), patience).toBe(true);
  expect(existsSync(workspace.path("ONE.txt"))).toBe(false);
  session.engine.answer(idOf("one"), { kind: "permission", outcome: "allow" });
  await expect.poll(() => existsSync(workspace.path("ONE.txt")), patience).toBe(true);
  await expect.poll(() => told.filter(({ type }) => type === "agent_end").length, patience).toBe(2);
  expect(session.events.concat(told).some((event) => event.type === "agent_end" && event.status !== "completed")).toBe(
    false,
  );
  await session.close();
});

test("F184 headless nobody is there to ask: the agent's call is denied with a reason, and the run lists it", async () => {
  const { workspace, server } = await engineWorld({
    sideAnswers: [
      {
        when: isTask("ONE-TASK"),
        answers: [{ calls: [{ Bash: { command: "touch one.txt" } }] }, { say: "was not allowed" }],
      },
    ],
  });
  const session = await openEngine(workspace, { clock: steppedClock(), isInteractive: false });
  server.push(
    { calls: [{ Agent: { description: "one", prompt: "ONE-TASK", run_in_background: true } }] },
    { say: "started" },
    { say: "told" },
  );
  const outcome = await session.prompt("start");
  expect(existsSync(workspace.path("one.txt"))).toBe(false);
  const result = session.events.find((event) => event.type === "tool_result" && event.name === "Bash");
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(outcome)).toContain("touch one.txt");
  await session.close();
});
