import { expect, test } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { commandHook, hookLog, logInput, noticesOf, saysJson, textsOf } from "../../helpers/hook-kit.js";
import type { ModelAnswer } from "../../helpers/model-script.js";

type Hooks = Record<string, unknown[]>;

const play = async (
  hooks: Hooks,
  answers: ModelAnswer[],
  options: {
    settings?: Record<string, unknown>;
    isInteractive?: boolean;
    files?: Record<string, string>;
    env?: Record<string, string>;
  } = {},
) => {
  const { workspace, server } = await engineWorld(
    {},
    { settings: { hooks, ...options.settings }, files: options.files ?? {} },
  );
  const session = await openEngine(workspace, {
    clock: handClock(),
    isInteractive: options.isInteractive ?? true,
    env: options.env,
  });
  server.push(...answers);
  const outcome = await session.prompt("go");
  await session.close();
  expect(server.violations).toEqual([]);
  const results = session.events.filter((event) => event.type === "tool_result");
  return { workspace, server, session, outcome, results, last: textsOf(server.turns().at(-1)!.body) };
};

const questions = ({ events }: EngineSession) => events.filter(({ type }) => type === "question");
const touch: ModelAnswer = { calls: [{ Bash: { command: "touch made" } }] };
const decide = (permissionDecision: string, more: object = {}) =>
  saysJson({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } });

test("exit code 2 of PreToolUse refuses the call; the model reads why and goes on", async () => {
  const run = await play({ PreToolUse: [commandHook("echo not here >&2; exit 2", "Bash")] }, [touch, { say: "ok" }]);
  expect(run.results[0]).toMatchObject({
    isError: true,
    content: "A hook did not allow this call, and nothing was done: not here",
  });
  expect(run.workspace.exists("made")).toBe(false);
  expect(run.outcome).toMatchObject({ cause: "completed", text: "ok" });
  expect(questions(run.session)).toEqual([]);
});

test("F129 another exit code lets the call go its way and the person reads a warning", async () => {
  const run = await play({ PreToolUse: [commandHook("echo denied >&2; exit 1", "Bash")] }, [touch, { say: "ok" }]);
  expect(run.workspace.exists("made")).toBe(true);
  expect(noticesOf(run.session)).toEqual([
    "PreToolUse:Bash hook [echo denied >&2; exit 1] failed and blocked nothing: exit code 1, denied. Only exit code 2 blocks.",
  ]);
});

test("F131 a PreToolUse hook that hangs is told as a timeout, and the call goes its way", async () => {
  const run = await play({ PreToolUse: [commandHook("sleep 9999", "Bash", { timeout: 0.3 })] }, [touch, { say: "ok" }]);
  expect(run.workspace.exists("made")).toBe(true);
  expect(noticesOf(run.session)[0]).toContain("no end within 0.3 s, so it was stopped");
});

test("allow spares the question, ask brings one where none would be", async () => {
  const allowed = await play({ PreToolUse: [commandHook(decide("allow"), "Bash")] }, [touch, { say: "ok" }]);
  expect(questions(allowed.session)).toEqual([]);
  expect(allowed.workspace.exists("made")).toBe(true);
  const asked = await play(
    { PreToolUse: [commandHook(decide("ask", { permissionDecisionReason: "look twice" }), "Read")] },
    [{ calls: [{ Read: { file_path: "a.txt" } }] }, { say: "ok" }],
    { files: { "a.txt": "alpha\n" } },
  );
  expect(questions(asked.session)).toMatchObject([
    { question: { reasons: [{ kind: "hook", text: "hook PreToolUse:Read [User]: look twice" }, {}] } },
  ]);
});

test.each([
  ["a deny rule", { permissions: { deny: ["Bash(touch *)"] } }, "isn't run"],
  ["an ask rule", { permissions: { ask: ["Bash(touch *)"] } }, "asks"],
])("allow of a hook never beats %s", async (_name, settings, end) => {
  const run = await play({ PreToolUse: [commandHook(decide("allow"), "Bash")] }, [touch, { say: "ok" }], { settings });
  expect(questions(run.session)).toHaveLength(end === "asks" ? 1 : 0);
  expect(run.workspace.exists("made")).toBe(end === "asks");
});

test("allow of a hook lifts neither plan mode nor the guard of persistent files, and counts in dontAsk", async () => {
  const hooks: Hooks = { PreToolUse: [commandHook(decide("allow"))] };
  const plan = await play(hooks, [touch, { say: "ok" }], {
    settings: { permissions: { defaultMode: "plan" } },
    isInteractive: false,
  });
  expect(plan.workspace.exists("made")).toBe(false);
  const guarded = await play(
    hooks,
    [{ calls: [{ Write: { file_path: ".claude/settings.json", content: "{}" } }] }, { say: "ok" }],
    {
      isInteractive: false,
    },
  );
  expect(guarded.workspace.exists(".claude/settings.json")).toBe(false);
  const quiet = await play(hooks, [touch, { say: "ok" }], {
    settings: { permissions: { defaultMode: "dontAsk" } },
    isInteractive: false,
  });
  expect(quiet.workspace.exists("made")).toBe(true);
});

test("updatedInput runs in place of what the model wanted, through schema and permission again", async () => {
  const replaced = (command: unknown) => ({
    PreToolUse: [commandHook(decide("allow", { updatedInput: { command } }), "Bash")],
  });
  const run = await play(replaced("touch other"), [touch, { say: "ok" }]);
  expect([run.workspace.exists("made"), run.workspace.exists("other")]).toEqual([false, true]);
  expect(run.session.events.find((event) => event.type === "tool_call")).toMatchObject({
    input: { command: "touch made" },
  });
  const denied = await play(replaced("touch other"), [touch, { say: "ok" }], {
    settings: { permissions: { deny: ["Bash(touch other)"] } },
  });
  expect(denied.workspace.exists("other")).toBe(false);
  const odd = await play(replaced(7), [touch, { say: "ok" }]);
  expect(odd.results[0]).toMatchObject({ isError: true, content: expect.stringContaining("does not fit the tool") });
});

test("continue false stops the run after the call, without an error", async () => {
  const run = await play(
    { PostToolUse: [commandHook(saysJson({ continue: false, stopReason: "enough for today" }), "Bash")] },
    [touch],
    { settings: { permissions: { allow: ["Bash"] } } },
  );
  expect(run.outcome).toMatchObject({ cause: "hook_stopped", isError: false, text: "", turns: 1 });
  expect(noticesOf(run.session)).toEqual(["A hook stopped the run: enough for today"]);
});

test("PostToolUse feedback and context stand beside the untouched result", async () => {
  const run = await play(
    {
      PostToolUse: [
        commandHook(saysJson({ decision: "block", reason: "mind the tests" }), "Bash"),
        commandHook(
          saysJson({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "three files left" } }),
        ),
      ],
    },
    [{ calls: [{ Bash: { command: "echo out" } }] }, { say: "ok" }],
  );
  expect(run.results[0]).toMatchObject({ isError: false, content: expect.stringContaining("out") });
  expect(run.last).toContain("PostToolUse:Bash hook feedback: [cat > /dev/null;");
  expect(run.last).toContain("mind the tests");
  expect(run.last).toContain("PostToolUse:Bash hook additional context: three files left");
});

test("a failed call comes to PostToolUseFailure; a refused or unknown one to neither", async () => {
  const run = await play(
    {
      PreToolUse: [commandHook(logInput)],
      PostToolUse: [commandHook(logInput)],
      PostToolUseFailure: [commandHook(logInput)],
    },
    [
      {
        calls: [
          { Bash: { command: "ls nowhere" } },
          { Nothing: {} },
          { Edit: { file_path: "never-read.txt", old_string: "a", new_string: "b" } },
        ],
      },
      { say: "ok" },
    ],
  );
  expect(hookLog(run.workspace).map(({ hook_event_name, tool_name }) => `${hook_event_name} ${tool_name}`)).toEqual([
    "PreToolUse Bash",
    "PostToolUseFailure Bash",
  ]);
  expect(hookLog(run.workspace)[1]).toMatchObject({ error: expect.stringContaining("nowhere"), is_interrupt: false });
});

test("a formatter's change of the file just edited is told, and the next edit works", async () => {
  const run = await play(
    { PostToolUse: [commandHook(`sed -i 's/ *$/;/' "$CLAUDE_PROJECT_DIR/a.ts"`, "Edit|Write")] },
    [
      { calls: [{ Read: { file_path: "a.ts" } }] },
      { calls: [{ Edit: { file_path: "a.ts", old_string: "let a = 1", new_string: "let a = 2" } }] },
      { calls: [{ Edit: { file_path: "a.ts", old_string: "let b = 1;", new_string: "let b = 3;" } }] },
      { say: "done" },
    ],
    { files: { "a.ts": "let a = 1\nlet b = 1\n" } },
  );
  expect(run.results.map(({ isError }) => isError)).toEqual([false, false, false]);
  const told = textsOf(run.server.turns()[2]!.body);
  expect(told).toContain(`A hook changed ${run.workspace.path("a.ts")} after this call`);
  expect(told).toContain("+let b = 1;");
  expect(run.workspace.read("a.ts")).toBe("let a = 2;;\nlet b = 3;;\n");
});

test("the if field calls a hook only for calls that the rule covers", async () => {
  const run = await play(
    {
      PreToolUse: [commandHook(logInput, "Bash", { if: "Bash(git *)" })],
      Stop: [commandHook(logInput, undefined, { if: "Bash" })],
    },
    [
      {
        calls: [
          { Bash: { command: "echo a" } },
          { Bash: { command: "X=1 git status" } },
          { Bash: { command: "echo $(git log)" } },
        ],
      },
      { say: "ok" },
    ],
  );
  const commands = hookLog(run.workspace).map(({ tool_input }) => (tool_input as { command: string }).command);
  expect(commands).toEqual(["X=1 git status", "echo $(git log)"]);
});

test("a PermissionRequest hook answers in the person's place, headless too", async () => {
  const answer = (decision: object) => ({
    PermissionRequest: [
      commandHook(saysJson({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }), "Bash"),
    ],
  });
  const allowed = await play(answer({ behavior: "allow" }), [touch, { say: "ok" }], { isInteractive: false });
  expect(allowed.workspace.exists("made")).toBe(true);
  const refused = await play(answer({ behavior: "deny", message: "ask again at noon" }), [touch, { say: "ok" }], {
    isInteractive: false,
  });
  expect(refused.results[0]).toMatchObject({ isError: true, content: expect.stringContaining("ask again at noon") });
  const changed = await play(
    answer({ behavior: "allow", updatedInput: { command: "touch .git/hooks/x" } }),
    [touch, { say: "ok" }],
    {
      isInteractive: false,
    },
  );
  expect(changed.workspace.exists(".git/hooks/x")).toBe(false);
  const ruled = await play(answer({ behavior: "allow" }), [touch, { say: "ok" }], {
    isInteractive: false,
    settings: { permissions: { ask: ["Bash(touch *)"] } },
  });
  expect(ruled.workspace.exists("made")).toBe(false);
});

test("hook and dialog race: whoever answers first decides, and the other is withdrawn", async () => {
  const { workspace, server } = await engineWorld(
    {},
    {
      settings: {
        hooks: {
          PermissionRequest: [
            commandHook(
              saysJson({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } }),
            ),
          ],
        },
      },
    },
  );
  const session = await openEngine(workspace, { clock: handClock(), answers: false });
  server.push(touch, { say: "ok" });
  await session.prompt("go");
  expect(workspace.exists("made")).toBe(true);
  expect(session.events.find((event) => event.type === "question_settled")).toMatchObject({ by: "hook" });
  await session.close();
  const slow = await play({ PermissionRequest: [commandHook("sleep 9999")] }, [touch, { say: "ok" }]);
  expect(slow.workspace.exists("made")).toBe(true);
});

test("F133 calls are not serialised by their hooks", async () => {
  const calls = Array.from({ length: 6 }, (_, at) => ({ Read: { file_path: `f${at}` } }));
  const files = Object.fromEntries(calls.map((_, at) => [`f${at}`, "x\n"]));
  const meet =
    'cat > /dev/null; mkdir -p met; touch "met/$$"; for i in $(seq 100); do [ "$(ls met | wc -l)" -ge 6 ] && exit 0; sleep 0.1; done; exit 2';
  const run = await play({ PreToolUse: [commandHook(meet)] }, [{ calls }, { say: "ok" }], { files });
  expect(run.results.map(({ isError }) => isError)).toEqual([false, false, false, false, false, false]);
});

test("TaskCreated may undo, TaskCompleted may hold open", async () => {
  const run = await play(
    {
      TaskCreated: [commandHook('grep -q "later" && { echo "do it now" >&2; exit 2; } || exit 0')],
      TaskCompleted: [commandHook("echo tests are red >&2; exit 2")],
    },
    [
      { calls: [{ TaskCreate: { subject: "do it later" } }, { TaskCreate: { subject: "mend it" } }] },
      { calls: [{ TaskUpdate: { taskId: "2", status: "completed" } }] },
      { calls: [{ TaskList: {} }] },
      { say: "ok" },
    ],
  );
  expect(run.results.map(({ isError }) => isError)).toEqual([true, false, true, false]);
  expect(run.results[0]).toMatchObject({ content: expect.stringContaining("do it now") });
  expect(run.results[2]).toMatchObject({ content: expect.stringContaining("tests are red") });
  expect(JSON.stringify(run.results[3])).not.toContain("do it later");
  expect(JSON.stringify(run.results[3])).toContain("mend it");
});

test("PostToolBatch hears of all calls together and may stop the run", async () => {
  const run = await play({ PostToolBatch: [commandHook(`${logInput}; echo stop here >&2; exit 2`)] }, [
    { calls: [{ Bash: { command: "echo a" } }, { Bash: { command: "echo b" } }] },
  ]);
  expect(run.outcome).toMatchObject({ cause: "hook_stopped", turns: 1 });
  expect(hookLog(run.workspace)).toMatchObject([
    { tool_calls: [{ tool_input: { command: "echo a" } }, { tool_input: { command: "echo b" } }] },
  ]);
});

test("hooks of the settings run inside subagents and are told whose they are; SubagentStart gives context", async () => {
  const run = await play(
    {
      SubagentStart: [
        commandHook(
          saysJson({ hookSpecificOutput: { hookEventName: "SubagentStart", additionalContext: "look in lib only" } }),
          "Explore",
        ),
      ],
      PreToolUse: [commandHook(logInput, "Read")],
    },
    [
      { calls: [{ Agent: { description: "look", prompt: "look around", subagent_type: "Explore" } }] },
      { calls: [{ Read: { file_path: "a.txt" } }] },
      { say: "found" },
      { say: "ok" },
    ],
    { files: { "a.txt": "x\n" } },
  );
  expect(hookLog(run.workspace)).toMatchObject([
    { tool_name: "Read", agent_type: "Explore", agent_id: expect.any(String) },
  ]);
  expect(textsOf(run.server.turns()[1]!.body)).toContain("look in lib only");
});

test("hooks of an agent's own file run while it does; its Stop is the end of the agent", async () => {
  const run = await play(
    {},
    [
      { calls: [{ Agent: { description: "check", prompt: "check it", subagent_type: "checker" } }] },
      { say: "checked" },
      { say: "ok" },
    ],
    {
      files: {
        ".claude/agents/checker.md": `---\nname: checker\ndescription: checks\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: '${logInput}'\n---\nYou check.\n`,
      },
    },
  );
  expect(hookLog(run.workspace).map(({ hook_event_name, agent_type }) => `${hook_event_name} ${agent_type}`)).toEqual([
    "SubagentStop checker",
  ]);
});

test("F131 Esc stops a hook that a call waits for, and the call never runs", async () => {
  const { workspace, server } = await engineWorld(
    {},
    { settings: { hooks: { PreToolUse: [commandHook("touch waiting; sleep 9999")] } } },
  );
  const session = await openEngine(workspace, { clock: handClock() });
  server.push(touch);
  const running = session.prompt("go");
  while (!workspace.exists("waiting")) await new Promise((resolve) => setTimeout(resolve, 10));
  session.engine.interrupt("run");
  expect(await running).toMatchObject({ cause: "interrupted" });
  expect(workspace.exists("made")).toBe(false);
  expect(noticesOf(session)).toEqual([]);
  await session.close();
});

test("updatedToolOutput takes the place of what the model reads", async () => {
  const replaced = { stdout: "nothing to see", stderr: "" };
  const run = await play(
    {
      PostToolUse: [
        commandHook(saysJson({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: replaced } })),
      ],
    },
    [{ calls: [{ Bash: { command: "echo token-123" } }] }, { say: "ok" }],
  );
  expect(run.last).toContain("nothing to see");
  expect(run.last).not.toContain("token-123");
});
