import { expect, test } from "vitest";
import { hookSources } from "../../../src/query/hooks.js";
import type { Session } from "../../../src/query/session.js";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { commandHook, hookLog, logInput, noticesOf, saysJson, textsOf } from "../../helpers/hook-kit.js";
import type { RecordedRequest } from "../../helpers/model-server.js";
import { readTranscript } from "../../helpers/scenario.js";

/** Waits for what no event of the session tells: a hook's own file. */
const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 10));
};

const world = (hooks: Record<string, unknown[]>, settings: Record<string, unknown> = {}) =>
  engineWorld({}, { settings: { hooks, ...settings } });

test("the events of a headless run come in their order, each with what hooks are promised", async () => {
  const names = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolBatch",
    "Stop",
    "SessionEnd",
  ];
  const { workspace, server } = await world(Object.fromEntries(names.map((name) => [name, [commandHook(logInput)]])));
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  workspace.write("a.txt", "alpha\n");
  server.push({ calls: [{ Read: { file_path: "a.txt" } }] }, { say: "read it" });
  await session.prompt("read a.txt");
  await session.close();
  const log = hookLog(workspace);
  expect(log.map(({ hook_event_name }) => hook_event_name)).toEqual(names);
  const id = session.engine.session().sessionId;
  for (const input of log)
    expect(input).toMatchObject({ session_id: id, cwd: workspace.project, permission_mode: "default" });
  const [start, prompt, before, after, batch, stop, end] = log;
  expect(start).toMatchObject({ source: "startup", transcript_path: expect.stringContaining(`${id}.jsonl`) });
  expect(prompt).toMatchObject({ prompt: "read a.txt", prompt_id: expect.any(String) });
  expect(before).toMatchObject({
    tool_name: "Read",
    tool_input: { file_path: workspace.path("a.txt") },
    tool_use_id: "toolu_001",
  });
  expect(after).toMatchObject({
    tool_response: { type: "text", file: { filePath: workspace.path("a.txt"), content: "alpha" } },
    duration_ms: expect.any(Number),
  });
  expect(batch).toMatchObject({ tool_calls: [{ tool_name: "Read", tool_use_id: "toolu_001" }] });
  expect(stop).toMatchObject({ stop_hook_active: false, last_assistant_message: "read it", background_tasks: [] });
  expect(end).toMatchObject({ reason: "other" });
});

test("hooks have the promised environment", async () => {
  const { workspace, server } = await world({
    UserPromptSubmit: [commandHook('env > "$CLAUDE_PROJECT_DIR/env.txt"')],
  });
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  server.push({ say: "ok" });
  await session.prompt("hi");
  const env = workspace.read("env.txt");
  for (const line of [
    `CLAUDE_PROJECT_DIR=${workspace.project}`,
    "CLAUDECODE=1",
    `CLAUDE_CODE_SESSION_ID=${session.engine.session().sessionId}`,
    "CLAUDE_CODE_ENTRYPOINT=cli",
    "CLAUDE_CODE_CHILD_SESSION=1",
    `CLAUDE_PID=${process.pid}`,
  ])
    expect(env.split("\n")).toContain(line);
  await session.close();
});

test("what SessionStart and UserPromptSubmit print is context for the model and stays in the transcript", async () => {
  const { workspace, server } = await world({
    SessionStart: [commandHook("echo deploys are frozen")],
    UserPromptSubmit: [
      commandHook(
        saysJson({ hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "it is Monday" } }),
      ),
    ],
  });
  const first = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "one" });
  await first.prompt("hello");
  const sent = textsOf(server.turns()[0]!.body);
  expect(sent).toContain("SessionStart:startup hook additional context: deploys are frozen");
  expect(sent.indexOf("deploys are frozen")).toBeLessThan(sent.indexOf("hello"));
  expect(sent).toContain("UserPromptSubmit hook additional context: it is Monday");
  await first.close();
  const { sessionId } = first.engine.session();
  const lines = JSON.stringify(readTranscript(workspace));
  expect(lines).toContain("deploys are frozen");
  const second = await openEngine(workspace, { clock: handClock(), flags: { resume: sessionId } });
  server.push({ say: "two" });
  await second.prompt("again");
  const resumed = textsOf(server.turns()[1]!.body);
  expect(resumed.split("SessionStart:startup hook")).toHaveLength(2);
  expect(resumed).toContain("SessionStart:resume hook additional context: deploys are frozen");
  expect(server.violations).toEqual([]);
  await second.close();
});

test("a UserPromptSubmit hook that blocks erases the prompt: no request, and the person is told why", async () => {
  const { workspace, server } = await world({
    UserPromptSubmit: [commandHook('grep -q secret && { echo "no secrets here" >&2; exit 2; } || exit 0')],
  });
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  const outcome = await session.prompt("my secret is xyzzy");
  expect(outcome).toMatchObject({ cause: "completed", isError: false, text: "no secrets here", turns: 0 });
  expect(noticesOf(session)).toEqual(["A hook refused the prompt: no secrets here"]);
  expect(session.events.some(({ type }) => type === "restore_prompt")).toBe(false); // nobody is there to change it
  server.push({ say: "fine" });
  await session.prompt("hello");
  expect(JSON.stringify(server.turns()[0]!.body)).not.toContain("xyzzy");
  await session.close();
});

test("a Stop hook sends the model back with its reason, and knows that it did", async () => {
  const { workspace, server } = await world({
    Stop: [commandHook(`${logInput}; [ -e ok ] || { touch ok; echo "run the tests" >&2; exit 2; }`)],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "done" }, { say: "tests run" });
  const outcome = await session.prompt("go");
  expect(outcome).toMatchObject({ cause: "completed", text: "tests run", turns: 2 });
  expect(textsOf(server.turns()[1]!.body)).toContain('Stop hook feedback:\n[cat >> "$CLAUDE_PROJECT_DIR');
  expect(textsOf(server.turns()[1]!.body)).toContain("run the tests");
  expect(hookLog(workspace).map(({ stop_hook_active }) => stop_hook_active)).toEqual([false, true]);
  await session.close();
});

test("F127 a Stop hook that always blocks ends the run after 8 times, as an error with its reason", async () => {
  const { workspace, server } = await world({ Stop: [commandHook("echo nope >&2; exit 2")] });
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  server.push(...Array.from({ length: 9 }, (_, at) => ({ say: `answer ${at}` })));
  const outcome = await session.prompt("go");
  expect(outcome).toMatchObject({ cause: "stop_hook_prevented", isError: true, turns: 9 });
  expect(outcome?.text).toContain("nope");
  expect(server.remaining()).toBe(0);
  await session.close();
});

test("F127 CLAUDE_CODE_STOP_HOOK_BLOCK_CAP sets the number, and SubagentStop is bounded the same way", async () => {
  const { workspace, server } = await world({
    SubagentStop: [commandHook(`${logInput}; echo more >&2; exit 2`)],
  });
  const session = await openEngine(workspace, { clock: handClock(), env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "2" } });
  const task = { description: "look", prompt: "look around", subagent_type: "Explore" };
  server.push({ calls: [{ Agent: task }] }, { say: "a" }, { say: "b" }, { say: "c" }, { say: "end" });
  const outcome = await session.prompt("go");
  expect(outcome).toMatchObject({ cause: "completed", text: "end" });
  expect(hookLog(workspace)).toHaveLength(3);
  expect(hookLog(workspace)[0]).toMatchObject({
    agent_type: "Explore",
    agent_id: expect.any(String),
    stop_hook_active: false,
  });
  await session.close();
});

test("F131 a SessionStart hook that never ends holds nothing up beyond its timeout", async () => {
  const { workspace, server } = await world({ SessionStart: [commandHook("sleep 9999", undefined, { timeout: 0.3 })] });
  const session = await openEngine(workspace, { clock: handClock() });
  const told: string[] = [];
  session.engine.subscribe((event) => {
    if (event.type === "notice") told.push(event.text);
  });
  server.push({ say: "hello" });
  expect(await session.prompt("hi")).toMatchObject({ cause: "completed" });
  expect(told).toEqual([
    "SessionStart:startup hook [sleep 9999] failed and blocked nothing: no end within 0.3 s, so it was stopped.",
  ]);
  await session.close();
});

test("F131 stopping the run stops a SessionStart hook that it waits for", async () => {
  const { workspace } = await world({ SessionStart: [commandHook("sleep 9999")] });
  const session = await openEngine(workspace, { clock: handClock() });
  const running = session.prompt("hi");
  session.engine.subscribe(() => undefined);
  while (!session.events.some(({ type }) => type === "run_start"))
    await new Promise((resolve) => setImmediate(resolve));
  session.engine.interrupt("run");
  expect(await running).toMatchObject({ cause: "interrupted" });
  await session.close();
});

test("headless the hooks of an untrusted folder run, unless CLAUDE_REQUIRE_TRUST says no", async () => {
  const run = async (env: Record<string, string>) => {
    const { workspace, server } = await world({});
    workspace.populate({ projectSettings: { hooks: { UserPromptSubmit: [commandHook("touch ran")] } } });
    workspace.distrust();
    server.push({ say: "ok" });
    const session = await openEngine(workspace, { clock: handClock(), isInteractive: false, env });
    await session.prompt("hi");
    await session.close();
    return workspace.exists("ran");
  };
  expect([await run({}), await run({ CLAUDE_REQUIRE_TRUST: "1" })]).toEqual([true, false]);
});

test("on a screen no hook runs before the folder is trusted, not even the person's own", async () => {
  const { workspace } = await world({ SessionStart: [commandHook("touch ran")] });
  workspace.distrust();
  const session = await openEngine(workspace, { clock: handClock(), trusts: false });
  expect(session.events).toContainEqual({ type: "exit", code: 0 });
  await session.close();
  expect(workspace.exists("ran")).toBe(false);
});

test("disableAllHooks switches hooks off", async () => {
  const { workspace, server } = await world(
    { UserPromptSubmit: [commandHook("touch ran")] },
    { disableAllHooks: true },
  );
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  server.push({ say: "ok" });
  await session.prompt("hi");
  expect(workspace.exists("ran")).toBe(false);
  await session.close();
});

test("what SessionStart hooks export is there for later commands", async () => {
  const { workspace, server } = await world({
    SessionStart: [commandHook(`echo "export HOOKED='two words'" >> "$CLAUDE_ENV_FILE"`)],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ calls: [{ Bash: { command: 'echo "got $HOOKED"' } }] }, { say: "ok" });
  await session.prompt("show it");
  expect(JSON.stringify(server.turns()[1]!.body)).toContain("got two words");
  await session.close();
});

test("/clear ends and starts: SessionEnd clear, SessionStart clear", async () => {
  const { workspace, server } = await world({
    SessionStart: [commandHook(logInput)],
    SessionEnd: [commandHook(logInput)],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "ok" });
  await session.prompt("hi");
  await session.prompt("/clear");
  await session.close();
  expect(
    hookLog(workspace).map(({ hook_event_name, source, reason }) => `${hook_event_name} ${source ?? reason}`),
  ).toEqual(["SessionStart startup", "SessionEnd clear", "SessionStart clear", "SessionEnd prompt_input_exit"]);
});

test("PreCompact may refuse; PostCompact and SessionStart follow a compaction", async () => {
  const { workspace, server } = await world({
    PreCompact: [commandHook(`${logInput}; [ -e ok ] || { echo "not now" >&2; exit 2; }`)],
    PostCompact: [commandHook(logInput)],
    SessionStart: [commandHook("echo remember the freeze", "compact")],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "one" });
  await session.prompt("hello");
  await session.prompt("/compact keep names");
  expect(session.events.find((event) => event.type === "command_output")).toMatchObject({
    text: expect.stringContaining("not now"),
    isError: true,
  });
  workspace.write("ok", "");
  server.push({ say: "the summary" }, { say: "two" });
  await session.prompt("/compact");
  await session.prompt("go on");
  const log = hookLog(workspace);
  expect(log.map(({ hook_event_name }) => hook_event_name)).toEqual(["PreCompact", "PreCompact", "PostCompact"]);
  expect(log[0]).toMatchObject({ trigger: "manual", custom_instructions: "keep names" });
  expect(log[2]).toMatchObject({ compact_summary: expect.stringContaining("the summary") });
  expect(textsOf(server.turns().at(-1)!.body)).toContain(
    "SessionStart:compact hook additional context: remember the freeze",
  );
  await session.close();
});

test("F133 context longer than 10,000 characters is stored and previewed", async () => {
  const { workspace, server } = await world({ UserPromptSubmit: [commandHook("cat > /dev/null; seq 1 5000")] });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push({ say: "ok" });
  await session.prompt("hi");
  const sent = textsOf(server.turns()[0]!.body);
  expect(sent).toContain("<persisted-output>");
  expect(sent).not.toContain("\n2500\n");
  await session.close();
});

test("/why says what hooks did", async () => {
  const { workspace, server } = await world({ UserPromptSubmit: [commandHook("exit 1")] });
  const session = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  server.push({ say: "ok" });
  await session.prompt("hi");
  const outcome = await session.prompt("/why hook");
  expect(outcome?.text).toContain("UserPromptSubmit [exit 1]: failed");
  await session.close();
});

test("Notification hooks hear of a question that stays open and of a session that waits", async () => {
  const { workspace, server } = await world({ Notification: [commandHook(logInput)] });
  const session = await openEngine(workspace, { clock: handClock(), answers: false });
  server.push({ calls: [{ Bash: { command: "touch made" } }] }, { say: "ok" });
  const running = session.prompt("go");
  const types = () => hookLog(workspace).map(({ notification_type }) => notification_type);
  await until(() => types().includes("permission_prompt"));
  const asked = session.events.find((event) => event.type === "question");
  if (asked?.type === "question") session.engine.answer(asked.question.id, { kind: "permission", outcome: "allow" });
  await running;
  await until(() => types().includes("idle_prompt"));
  expect(types()).toEqual(["permission_prompt", "idle_prompt"]);
  await session.close();
});

test("a prompt that waited goes through UserPromptSubmit as well", async () => {
  const { workspace, server } = await world({
    UserPromptSubmit: [commandHook('grep -q secret && { echo "no secrets" >&2; exit 2; } || echo "noted"')],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  server.push(
    { calls: [{ Bash: { command: "ls" } }], holds: [{ at: "start", until: "answer" }] },
    {
      say: "ok",
    },
  );
  const running = session.prompt("go");
  await server.waitForTurn(1);
  await session.send({ type: "prompt", text: "my secret" });
  await session.send({ type: "prompt", text: "also this" });
  server.release("answer");
  await running;
  const sent = textsOf(server.turns()[1]!.body);
  expect(sent).toContain("also this");
  expect(sent).not.toContain("my secret");
  expect(sent.split("hook additional context: noted")).toHaveLength(3);
  expect(noticesOf(session)).toContain("A hook refused the prompt: no secrets");
  await session.close();
});

test("hooks in the background: context comes with the next turn, asyncRewake calls the model back", async () => {
  const { workspace, server } = await world({
    UserPromptSubmit: [
      {
        hooks: [{ type: "command", command: "cat > /dev/null; echo the build is red >&2; exit 2", asyncRewake: true }],
      },
    ],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  const late: string[] = [];
  session.engine.subscribe((event) => {
    if (event.type === "run_end") late.push(event.outcome.text);
  });
  server.push({ say: "one" }, { say: "I look into it" });
  await session.prompt("go");
  await until(() => server.turns().length === 2);
  expect(textsOf(server.turns()[1]!.body)).toContain("in the background: the build is red");
  await until(() => late.length === 1);
  await session.close();
});

const judge = (ok: boolean) => ({
  when: ({ body }: RecordedRequest) => JSON.stringify(body.system ?? "").includes("You check one moment"),
  answers: Array.from({ length: 3 }, () => ({ say: JSON.stringify({ ok, reason: "run the tests first" }) })),
});

test.each(["prompt", "agent"])("a hook of the kind %s asks a model; its no sends the agent back", async (type) => {
  const { workspace, server } = await engineWorld(
    { sideAnswers: [judge(false)] },
    { settings: { hooks: { Stop: [{ hooks: [{ type, prompt: "Were the tests run? $ARGUMENTS" }] }] } } },
  );
  const session = await openEngine(workspace, {
    clock: handClock(),
    env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" },
    isInteractive: false,
  });
  server.push({ say: "done" }, { say: "really done" });
  expect(await session.prompt("go")).toMatchObject({ cause: "stop_hook_prevented" });
  expect(textsOf(server.turns()[1]!.body)).toContain("run the tests first");
  const asked = server.requests.find(({ body }) => JSON.stringify(body.system).includes("You check one moment"));
  expect(textsOf(asked!.body)).toContain('"hook_event_name":"Stop"');
  expect(asked?.body.tools?.map(({ name }) => name) ?? []).toEqual(type === "agent" ? ["Read", "Glob", "Grep"] : []);
  await session.close();
});

test("with the offline model hooks that ask a model say yes", async () => {
  const { workspace } = await engineWorld(
    {},
    { settings: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "prompt", prompt: "Is this a fair request?" }] }] } } },
  );
  const session = await openEngine(workspace, {
    clock: handClock(),
    flags: { model: "offline" },
    isInteractive: false,
  });
  expect(await session.prompt("hello")).toMatchObject({ cause: "completed", isError: false });
  expect((await session.prompt("/why hook"))?.text).toContain("UserPromptSubmit [Is this a fair request?]: fine");
  await session.close();
});

test("managed settings may say that only their hooks run; other files cannot switch those off", () => {
  const layer = (source: string, more: object = {}) => ({
    source,
    file: source,
    settings: { hooks: { Stop: [commandHook(source)] }, ...more },
  });
  const kinds = (layers: ReturnType<typeof layer>[], merged: Record<string, unknown> = {}): string[] => {
    const hooks = { Stop: layers.flatMap(({ settings }) => settings.hooks.Stop) };
    const settings = { layers, get: (key: string) => ({ hooks, ...merged })[key] };
    const session = { settings, options: { isInteractive: false }, trusted: true, hooks: { sources: [] } };
    return hookSources(session as unknown as Session).map(({ kind }) => kind);
  };
  expect(kinds([layer("managed"), layer("user")])).toEqual(["managed", "user"]);
  expect(kinds([layer("managed", { allowManagedHooksOnly: true }), layer("user")])).toEqual(["managed"]);
  expect(kinds([layer("managed"), layer("user")], { disableAllHooks: true })).toEqual(["managed"]);
  expect(kinds([layer("managed", { disableAllHooks: true }), layer("user")])).toEqual([]);
});

test("on a screen an erased prompt stands in the prompt box again, unless the hook says otherwise", async () => {
  const play = async (more: object) => {
    const answer = {
      decision: "block",
      reason: "no",
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", ...more },
    };
    const { workspace } = await world({ UserPromptSubmit: [commandHook(saysJson(answer))] });
    const session = await openEngine(workspace, { clock: handClock() });
    await session.prompt("please do");
    await session.close();
    return session.events.flatMap((event) => (event.type === "restore_prompt" ? [event.text] : []));
  };
  expect(await play({})).toEqual(["please do"]);
  expect(await play({ suppressOriginalPrompt: true })).toEqual([]);
});

test("UserPromptExpansion may refuse a command that becomes a prompt; StopFailure hears of a run that failed", async () => {
  const { workspace, server } = await world({
    UserPromptExpansion: [commandHook(`${logInput}; echo plan later >&2; exit 2`, "plan")],
    StopFailure: [commandHook(logInput)],
  });
  const session = await openEngine(workspace, { clock: handClock() });
  await session.prompt("/plan the filter");
  expect(session.events.find((event) => event.type === "command_output")).toMatchObject({
    text: expect.stringContaining("plan later"),
    isError: true,
  });
  server.push({ status: 403, error: { type: "permission_error", message: "not for you" } });
  expect(await session.prompt("hello")).toMatchObject({ cause: "api_error" });
  const [expansion, failure] = hookLog(workspace);
  expect(expansion).toMatchObject({ command_name: "plan", command_args: "the filter", prompt: "/plan the filter" });
  expect(failure).toMatchObject({
    hook_event_name: "StopFailure",
    error_details: expect.stringContaining("not for you"),
  });
  await session.close();
});
