import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type PrintOptions, runPrint } from "../../../src/entrypoints/print.js";
import type { EngineEvent } from "../../../src/protocol/events.js";
import { fakeSession } from "../../helpers/fake-command-context.js";
import { fakeEngine, outcomeOf, type Script } from "../../helpers/fake-engine.js";

const print = async (
  scripts: Parameters<typeof fakeEngine>[1],
  {
    isTTY = false,
    ...options
  }: Partial<Pick<PrintOptions, "format" | "verbose" | "isOpen">> & { isTTY?: boolean } = {},
) => {
  const fake = fakeEngine(fakeSession, scripts);
  const stdout = Object.assign(new PassThrough(), { isTTY });
  let written = "";
  stdout.on("data", (chunk: Buffer) => {
    written += chunk;
  });
  const warnings: string[] = [];
  const exitCode = await runPrint({
    engine: fake.engine,
    prompt: "hi",
    format: "text",
    stdout: stdout as unknown as PrintOptions["stdout"],
    warn: (warning) => warnings.push(warning),
    totals: () => ({ costUsd: null, modelUsage: {} }),
    ...options,
  });
  return { ...fake, exitCode, written, warnings };
};

const prompt = (outcome: Script["outcome"], events: EngineEvent[] = []) => ({ prompt: { events, outcome } });

test("text: the answer and a newline, nothing else", async () => {
  const run = await print(prompt(outcomeOf()));
  expect(run).toMatchObject({ exitCode: 0, written: "done\n", warnings: [] });
  expect(run.requests).toEqual([{ type: "open" }, { type: "prompt", text: "hi" }]);
});

test("text: warnings and retries are for stderr, and with verbose the calls too", async () => {
  const events: EngineEvent[] = [
    { type: "notice", level: "info", text: "quiet" },
    { type: "notice", level: "warning", text: "loud" },
    {
      type: "retry",
      attempt: 2,
      maxAttempts: 10,
      delayMs: 1200,
      retryAt: 0,
      status: 529,
      reason: "Overloaded",
      error: "x",
    },
    { type: "tool_call", id: "t", name: "Read", input: {}, title: "a.ts", isReadOnly: true },
  ];
  const expected = ["loud", "Overloaded. Trying again in 2 s (2/10)"];
  expect((await print(prompt(outcomeOf(), events))).warnings).toEqual(expected);
  expect((await print(prompt(outcomeOf(), events), { verbose: true })).warnings).toEqual([...expected, "Read a.ts"]);
});

test("text: a declined request is named as such, and is no error by the protocol", async () => {
  const outcome = outcomeOf({ cause: "refusal", text: "The model declined to answer this." });
  expect(await print(prompt(outcome))).toMatchObject({
    exitCode: 0,
    written: "Declined: The model declined to answer this.\n",
  });
});

test("text: the model's escape sequences reach a pipe, never a terminal", async () => {
  const text = "safe \u001b]0;title\u0007\u001b[2Jtext\tend";
  expect((await print(prompt(outcomeOf({ text })))).written).toBe(`${text}\n`);
  expect((await print(prompt(outcomeOf({ text })), { isTTY: true })).written).toBe("safe text\tend\n");
});

test.each([
  ["max_turns", { turns: 1, text: "half an answer" }, "Error: Reached maximum number of turns (1)\n"],
  ["api_error", { text: "API Error: 500" }, "API Error: 500\n"],
  ["interrupted", { text: "" }, "Error: Request interrupted by user\n"],
] as const)("text: a run that ends with %s says so in one line and exits with 1", async (cause, change, written) => {
  expect(await print(prompt(outcomeOf({ cause, isError: true, ...change })))).toMatchObject({ exitCode: 1, written });
});

test("json: one result object", async () => {
  const events: EngineEvent[] = [{ type: "run_start", runId: "r" }];
  const { written, exitCode } = await print(prompt(outcomeOf(), events), { format: "json" });
  expect(exitCode).toBe(0);
  expect(written.endsWith("}\n")).toBe(true);
  expect(JSON.parse(written)).toMatchObject({ type: "result", subtype: "success", result: "done", session_id: "s1" });
});

test("stream-json: init first, result last, one object a line", async () => {
  const events: EngineEvent[] = [
    { type: "session", session: fakeSession, reason: "open" },
    { type: "run_start", runId: "r" },
    { type: "notice", level: "info", text: "line\nbreaks \u2028 stay inside" },
    { type: "run_end", outcome: outcomeOf() },
  ];
  const { written } = await print({ prompt: { events } }, { format: "stream-json" });
  const lines = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type, subtype }) => `${type}/${subtype}`)).toEqual([
    "system/init",
    "system/informational",
    "result/success",
  ]);
});

test("a session that cannot be opened ends with that outcome and sends no prompt", async () => {
  const outcome = outcomeOf({ cause: "api_error", isError: true, text: "No credentials" });
  const { requests, written, exitCode } = await print({ open: { outcome } }, { format: "json" });
  expect(requests).toEqual([{ type: "open" }]);
  expect(JSON.parse(written)).toMatchObject({ is_error: true, result: "No credentials" });
  expect(exitCode).toBe(1);
});

test("an exit event ends it with its code and message", async () => {
  const run = await print({ open: { events: [{ type: "exit", code: 3, message: "not trusted" }] } });
  expect(run).toMatchObject({ exitCode: 3, written: "", warnings: ["not trusted"] });
});

test("a session that is open already is not opened again", async () => {
  expect((await print(prompt(outcomeOf()), { isOpen: true })).requests).toEqual([{ type: "prompt", text: "hi" }]);
});

test("questions are refused, because nobody is there", async () => {
  const events: EngineEvent[] = [
    { type: "question", question: { kind: "trust", id: "q1", folder: "/x", grants: [] } },
    { type: "question", question: { kind: "go_on", id: "q2", title: "t", detail: "d" } },
    { type: "question", question: { kind: "choice", id: "q3", toolUseId: "t", questions: [] } },
  ];
  expect((await print(prompt(outcomeOf(), events))).answers).toEqual([
    ["q1", { kind: "trust", trusted: false }],
    ["q2", { kind: "go_on", goOn: false }],
    ["q3", { kind: "choice" }],
  ]);
});

test("no outcome at all is a failure", async () => {
  expect(await print({})).toMatchObject({ exitCode: 1, written: "" });
});
