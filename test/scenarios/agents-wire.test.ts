// What a subagent gets on the wire and leaves on disk: prompt, tools, model, its own transcript, depth, limits, costs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import type { ModelAnswer } from "../helpers/model-script.js";
import type { RecordedRequest } from "../helpers/model-server.js";

const text = ({ body }: RecordedRequest): string => JSON.stringify(body.messages);
const system = ({ body }: RecordedRequest): string => JSON.stringify(body.system);
const tools = ({ body }: RecordedRequest): string[] => (body.tools ?? []).map(({ name }) => name);

/** Requests that belong to the agent with this word in its prompt: the main thread's hold its own opening words as well. */
const isOf = (word: string) => (request: RecordedRequest) =>
  text(request).includes(word) && !text(request).includes("OPENING");

const agentCall = (word: string, change: Record<string, unknown> = {}) => ({
  Agent: { description: word, prompt: `${word} do it`, ...change },
});

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("each type has its own prompt, tools and model; costs are the session's; the record is a sidechain", {
  timeout: 60_000,
}, async () => {
  const words = ["WORD-EXPLORE", "WORD-PLAN", "WORD-ALL", "WORD-FLAG"];
  const server = await createModelServer({
    answers: [
      {
        say: "OPENING",
        calls: [
          agentCall("WORD-EXPLORE", { subagent_type: "Explore" }),
          agentCall("WORD-PLAN", { subagent_type: "Plan", model: "opus" }),
          agentCall("WORD-ALL"),
          agentCall("WORD-FLAG", { subagent_type: "lister" }),
        ],
      },
      { say: "All are back." },
    ],
    sideAnswers: words.map((word) => ({ when: isOf(word), answers: [{ say: `report of ${word}` }] })),
  });
  const workspace = createWorkspace({ server });
  workspace.write("CLAUDE.md", "Instructions of the project.\n");
  const flag = JSON.stringify({
    lister: { description: "lists", prompt: "You list.", tools: ["Glob"], model: "haiku" },
  });
  const run = await workspace.runCli(["--agents", flag, "-p", "go", "--output-format", "json"], { timeoutMs: 40_000 });
  const result = JSON.parse(run.stdout);
  expect(result.result).toBe("All are back.");
  expect(server.violations).toEqual([]);

  const [explore, plan, all, lister] = words.map((word) => server.requests.filter(isOf(word))[0]!);
  const main = server.turns()[0]!;
  expect(tools(explore!)).toEqual(["Bash", "Read", "Glob", "Grep"]);
  expect(tools(plan!)).toEqual(["Read", "Glob", "Grep"]);
  expect(tools(lister!)).toEqual(["Glob"]);
  expect(tools(main)).toContain("Agent");
  for (const name of ["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TaskOutput"])
    expect(tools(all!)).not.toContain(name);
  expect(tools(all!)).toEqual(
    tools(main).filter((name) => !["EnterPlanMode", "ExitPlanMode", "TaskOutput", "AskUserQuestion"].includes(name)),
  );

  expect(system(explore!)).toContain("You explore a code base");
  expect(system(lister!)).toContain("You list.");
  expect(system(lister!)).toContain(workspace.project);
  expect(text(all!)).toContain("Instructions of the project.");
  expect(text(explore!)).not.toContain("Instructions of the project.");
  expect(text(explore!)).not.toContain("OPENING");
  expect([explore, plan, lister].map((request) => request!.body.model)).toEqual([
    main.body.model,
    expect.stringContaining("opus"),
    expect.stringContaining("haiku"),
  ]);
  expect(Object.keys(result.modelUsage).sort()).toEqual(
    [...new Set(server.requests.map(({ body }) => body.model))].sort(),
  );

  const project = join(workspace.configDir, "projects", readdirSync(join(workspace.configDir, "projects"))[0]!);
  const folder = join(project, result.session_id, "subagents");
  const files = readdirSync(folder).sort();
  expect(files).toHaveLength(4);
  for (const file of files) {
    const lines = linesOf(join(folder, file));
    expect(lines.every((line) => line.isSidechain === true && `agent-${line.agentId}.jsonl` === file)).toBe(true);
    expect(JSON.stringify(lines)).toMatch(/WORD-[A-Z]+ do it.*report of WORD/);
  }
  const mainLines = linesOf(join(project, `${result.session_id}.jsonl`));
  expect(mainLines.some(({ isSidechain }) => isSidechain === true)).toBe(false);
});

test("agents start others down to the third; none runs beyond the allowed number at once", {
  timeout: 60_000,
}, async () => {
  const nested = (word: string, next: string): ModelAnswer[] => [{ calls: [agentCall(next)] }, { say: `done ${word}` }];
  const only = (word: string, not: string) => (request: RecordedRequest) =>
    isOf(word)(request) && !text(request).includes(`"prompt":"${not}`);
  const server = await createModelServer({
    answers: [{ say: "OPENING", calls: [agentCall("LEVEL-ONE")] }, { say: "Back." }],
    sideAnswers: [
      // The deepest first: an agent's own requests also hold the prompt it gave away.
      {
        when: (request) => /LEVEL-THREE do it/.test(JSON.stringify(request.body.messages.slice(0, 2))),
        answers: [{ say: "done three" }],
      },
      {
        when: (request) => /LEVEL-TWO do it/.test(JSON.stringify(request.body.messages.slice(0, 2))),
        answers: nested("two", "LEVEL-THREE"),
      },
      { when: only("LEVEL-ONE", "never"), answers: nested("one", "LEVEL-TWO") },
    ],
  });
  const workspace = createWorkspace({ server });
  const run = await workspace.runCli(["-p", "go"], { timeoutMs: 40_000 });
  expect(run.stdout).toBe("Back.\n");
  const first = (word: string) =>
    server.requests.find(({ body }) => JSON.stringify(body.messages.slice(0, 2)).includes(`${word} do it`))!;
  expect(tools(first("LEVEL-ONE"))).toContain("Agent");
  expect(tools(first("LEVEL-TWO"))).toContain("Agent");
  expect(tools(first("LEVEL-THREE"))).not.toContain("Agent");
});

test("one agent more than allowed is refused with a reason", {
  timeout: 60_000,
}, async () => {
  const server = await createModelServer({
    answers: [
      { say: "OPENING", calls: [agentCall("WORD-A", { run_in_background: true })] },
      { calls: [agentCall("WORD-B")] },
      { say: "So be it." },
      { say: "Over." },
    ],
    sideAnswers: [{ when: isOf("WORD-A"), answers: [{ say: "report", holds: [{ at: "start", until: "go" }] }] }],
  });
  const workspace = createWorkspace({ server });
  const run = workspace.runCli(["-p", "go"], { timeoutMs: 40_000, env: { CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: "1" } });
  const third = await server.waitForTurn(3);
  expect(text(third)).toContain("No more than 1 may run at once");
  server.release("go");
  expect((await run).stdout).toBe("Over.\n");
});
