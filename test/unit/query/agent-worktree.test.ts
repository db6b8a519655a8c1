import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { ModelAnswer } from "../../helpers/model-script.js";
import { initRepository } from "../../helpers/repository.js";
import type { WorkspaceOptions } from "../../helpers/workspace.js";

/** Requests of the agent with this task. */
const inTask =
  (name: string) =>
  ({ body }: { body: { messages: unknown[] } }): boolean =>
    JSON.stringify(body.messages[0]).includes(name);

/** Long enough for git on a busy machine. */
const patience = { timeout: 15_000 };

const agentCall = (prompt: string, more: Record<string, unknown> = {}) => ({
  Agent: { description: prompt, prompt: `${prompt} do it`, isolation: "worktree", ...more },
});

interface WorldOptions {
  settings?: object;
  files?: WorkspaceOptions["files"];
  isRepository?: boolean;
  isInteractive?: boolean;
}

/** A session in a repository whose agents answer by the name of their task; MAIN in an answer is its folder. */
const world = async (
  tasks: Record<string, ModelAnswer[]>,
  { settings = {}, files = {}, isRepository = true, isInteractive = false }: WorldOptions = {},
) => {
  let main = "";
  const sideAnswers = Object.entries(tasks).map(([name, answers]) => ({
    when: inTask(name) as never,
    answers: answers.map((answer) => () => JSON.parse(JSON.stringify(answer).replaceAll("MAIN", main)) as ModelAnswer),
  }));
  const { workspace, server } = await engineWorld(
    { sideAnswers },
    { files: { "a.txt": "alpha\n", ...files }, settings: settings as never },
  );
  const repository = isRepository ? initRepository(workspace.project, workspace.env({})) : undefined;
  main = workspace.project;
  const session = await openEngine(workspace, { clock: handClock(), isInteractive });
  const root = workspace.project;
  return { workspace, server, session, root, git: (...args: string[]) => repository?.git(...args) ?? "" };
};

const agentResults = ({ events }: EngineSession) =>
  events.flatMap((event) => (event.type === "tool_result" && event.name === "Agent" ? [event] : []));
const structured = (session: EngineSession): Record<string, unknown>[] =>
  agentResults(session).map(({ structured: value }) => value as Record<string, unknown>);
const childResults = ({ events }: EngineSession) =>
  events.flatMap((event) => (event.type === "tool_result" && event.parentToolUseId !== undefined ? [event] : []));
const textOf = ({ content }: { content: unknown }): string => JSON.stringify(content);

test("two agents change the same file side by side, each in a worktree of its own; path and branch are in the results", async () => {
  const write = (text: string): ModelAnswer[] => [
    { calls: [{ Bash: { command: `echo ${text} > a.txt` } }] },
    { say: `${text} written` },
  ];
  const { server, session, root, git } = await world(
    { "TASK-ONE": write("one"), "TASK-TWO": write("two") },
    { settings: { permissions: { allow: ["Bash(echo *)"], defaultMode: "acceptEdits" } } },
  );
  server.push({ calls: [agentCall("TASK-ONE"), agentCall("TASK-TWO")] }, { say: "both done" });
  await session.prompt("let two agents write");
  const found = structured(session).map(({ worktreePath, worktreeBranch }) => ({
    text: readFileSync(join(String(worktreePath), "a.txt"), "utf8"),
    branch: git("branch", "--list", String(worktreeBranch)).trim(),
    path: String(worktreePath).startsWith(join(root, ".claude/worktrees/general-purpose-")),
  }));
  expect(found.map(({ text }) => text).sort()).toEqual(["one\n", "two\n"]);
  expect(found.every(({ branch, path }) => branch.includes("worktree-general-purpose-") && path)).toBe(true);
  expect(git("status", "--porcelain")).toBe("");
  expect(textOf(server.turns().at(-1)!.body.messages.at(-1) as never)).toContain("worktreeBranch: worktree-general");
  await session.close();
});

test("a worktree in which nothing changed is gone when the agent is done", async () => {
  const { server, session, root, git } = await world({
    "TASK-ONE": [{ calls: [{ Read: { file_path: "a.txt" } }] }, { say: "alpha it is" }],
  });
  server.push({ calls: [agentCall("TASK-ONE")] }, { say: "done" });
  await session.prompt("look");
  expect(structured(session)[0]).not.toHaveProperty("worktreePath");
  expect(existsSync(join(root, ".claude"))).toBe(false);
  expect(git("branch", "--list").trim()).toBe("* main");
  await session.close();
});

test("F178 an agent in a worktree cannot change the main checkout: by path, cd, git -C, GIT_DIR, link, whatever is allowed", async () => {
  const { server, session, git } = await world(
    {
      "TASK-ONE": [
        {
          calls: [
            { Write: { file_path: "MAIN/new.txt", content: "x" } },
            { Bash: { command: "cd MAIN && git commit --allow-empty -m x" } },
            { Bash: { command: "git -C MAIN checkout -b y" } },
            { Bash: { command: "GIT_DIR=MAIN/.git git checkout -b y" } },
            { Write: { file_path: "up/new.txt", content: "x" } },
          ],
        },
        { say: "could not" },
      ],
    },
    {
      settings: { permissions: { allow: ["Bash(*)", "Edit", "Write"], defaultMode: "acceptEdits" } },
      files: { up: { link: "../../.." } },
    },
  );
  const before = git("rev-parse", "HEAD");
  server.push({ calls: [agentCall("TASK-ONE")] }, { say: "done" });
  await session.prompt("try");
  const results = childResults(session);
  expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
  for (const result of results) expect(textOf(result as never)).toContain(".claude/worktrees/general-purpose-");
  expect(git("rev-parse", "HEAD")).toBe(before);
  expect(git("branch", "--list").trim().split("\n")[0]).toBe("* main");
  expect(git("status", "--porcelain")).toBe("");
  await session.close();
});

test("F180 an agent that is stopped leaves its uncommitted and untracked files; the notice names the branch", async () => {
  const { server, session, root, git } = await world(
    {
      "TASK-ONE": [
        { calls: [{ Write: { file_path: "new.txt", content: "work" } }] },
        { say: "half way", calls: [{ Bash: { command: "sleep 600" } }] },
      ],
    },
    {
      settings: { permissions: { allow: ["Bash(sleep *)"], defaultMode: "acceptEdits" } },
    },
  );
  server.push({ calls: [agentCall("TASK-ONE")] }, { say: "done" });
  const run = session.prompt("start");
  const isRunning = () =>
    session.events.some(
      (event) => event.type === "tool_state" && event.state === "running" && event.id.endsWith("003"),
    );
  await expect.poll(() => childResults(session).length, patience).toBe(1);
  await expect.poll(isRunning, patience).toBe(true);
  const start = session.events.find((event) => event.type === "agent_start");
  await session.send({ type: "stop_agent", agentId: start?.type === "agent_start" ? start.agentId : "" });
  await run;
  const [result] = structured(session);
  expect(JSON.stringify(result?.content)).toContain("(0 commits, 1 file not committed)");
  expect(readFileSync(join(String(result?.worktreePath), "new.txt"), "utf8")).toBe("work");
  expect(git("branch", "--list")).toContain(String(result?.worktreeBranch));
  expect(existsSync(join(root, "new.txt"))).toBe(false);
  await session.close();
});

test("an agent's definition may ask for a worktree; the pane's name for it is told", async () => {
  const { server, session } = await world(
    { "TASK-ONE": [{ say: "fine" }] },
    { files: { ".claude/agents/fixer.md": "---\nname: fixer\ndescription: fixes\nisolation: worktree\n---\nFix." } },
  );
  server.push({ calls: [agentCall("TASK-ONE", { isolation: undefined, subagent_type: "fixer" })] }, { say: "done" });
  await session.prompt("fix");
  const start = session.events.find((event) => event.type === "agent_start");
  expect(start).toMatchObject({ worktree: expect.stringMatching(/^fixer-[0-9a-f]{6}$/) });
  await session.close();
});

test.each([
  ["outside a repository", { isolation: "worktree" }, "is not in a git repository, and a worktree needs one", false],
  ["remote by the call", { isolation: "remote" }, 'isolation can only be \\"worktree\\"', true],
  ["remote by its definition", { isolation: undefined, subagent_type: "far" }, "wants isolation: remote", true],
])("no agent starts where its isolation is not possible: %s", async (_, more, text, isRepository) => {
  const files = { ".claude/agents/far.md": "---\nname: far\ndescription: far away\nisolation: remote\n---\nFar." };
  const { server, session } = await world({}, { isRepository, files });
  server.push({ calls: [agentCall("TASK-ONE", more)] }, { say: "done" });
  await session.prompt("start");
  const [result] = agentResults(session);
  expect(result?.isError).toBe(true);
  expect(textOf(result as never)).toContain(text);
  expect(session.events.some(({ type }) => type === "agent_start")).toBe(false);
  await session.close();
});

test("EnterWorktree moves the session into a worktree, where the main checkout is safe; ExitWorktree keeps or removes it", async () => {
  const { server, session, root, git } = await world(
    {},
    { settings: { permissions: { allow: ["EnterWorktree", "Bash(*)"], defaultMode: "acceptEdits" } } },
  );
  const path = join(root, ".claude/worktrees/fix-1");
  server.push(
    { calls: [{ EnterWorktree: { name: "fix-1" } }] },
    { calls: [{ Write: { file_path: join(path, "new.txt"), content: "x" } }, { Bash: { command: "pwd" } }] },
    { calls: [{ Write: { file_path: join(root, "new.txt"), content: "x" } }] },
    { calls: [{ ExitWorktree: { action: "remove" } }] },
    { calls: [{ ExitWorktree: { action: "keep" } }] },
    { calls: [{ EnterWorktree: { name: "fix-1" } }] },
    {
      calls: [
        { Bash: { command: "rm new.txt" } },
        { ExitWorktree: { action: "remove" } },
        { Bash: { command: "pwd" } },
      ],
    },
    { say: "done" },
  );
  await session.prompt("work in a worktree");
  const results = session.events.flatMap((event) => (event.type === "tool_result" ? [event] : []));
  expect(results.map(({ name, isError }) => [name, isError])).toEqual([
    ["EnterWorktree", false],
    ["Write", false],
    ["Bash", false],
    ["Write", true],
    ["ExitWorktree", true],
    ["ExitWorktree", false],
    ["EnterWorktree", false],
    ["Bash", false],
    ["ExitWorktree", false],
    ["Bash", false],
  ]);
  expect(textOf(results[2] as never)).toContain(path);
  expect(textOf(results[4] as never)).toContain("1 changed file and 0 commits");
  expect(textOf(results[9] as never)).toBe(JSON.stringify(root));
  expect(git("branch", "--list").trim()).toBe("* main");
  expect(existsSync(join(root, "new.txt"))).toBe(false);
  await session.close();
});

test("F180 what a killed session left in worktrees is told at the next start; what is unchanged is gone", async () => {
  const { session, workspace, server, root, git } = await world(
    {},
    { settings: { permissions: { allow: ["EnterWorktree"] } }, isInteractive: true },
  );
  await session.close();
  for (const name of ["clean", "dirty"]) {
    const path = join(root, ".claude/worktrees", name);
    git("worktree", "add", "-q", "-b", `worktree-${name}`, path);
    const owner = { pid: 1, startTime: "never", branch: `worktree-${name}`, base: git("rev-parse", "HEAD").trim() };
    const { hostname } = await import("node:os");
    writeFileSync(
      join(root, ".git/worktrees", name, "claude-owner.json"),
      JSON.stringify({ ...owner, host: hostname() }),
    );
  }
  writeFileSync(join(root, ".claude/worktrees/dirty/new.txt"), "work\n");
  const told: string[] = [];
  const next = await openEngine(workspace, {
    clock: handClock(),
    onEvent: (event) => {
      if (event.type === "notice") told.push(event.text);
    },
  });
  await expect.poll(() => told.join(), patience).toContain("worktree-dirty: 1 changed file, 0 commits");
  expect(readdirSync(join(root, ".claude/worktrees"))).toEqual(["dirty"]);
  expect(server.violations).toEqual([]);
  await next.close();
});
