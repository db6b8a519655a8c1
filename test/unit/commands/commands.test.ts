import { expect, test } from "vitest";
import { branch } from "../../../src/commands/branch.js";
import { clear } from "../../../src/commands/clear.js";
import { compact } from "../../../src/commands/compact.js";
import { context as contextCommand } from "../../../src/commands/context.js";
import { cost } from "../../../src/commands/cost.js";
import { exit } from "../../../src/commands/exit.js";
import { exportConversation } from "../../../src/commands/export.js";
import { help } from "../../../src/commands/help.js";
import { memory } from "../../../src/commands/memory.js";
import { model } from "../../../src/commands/model.js";
import { mouse } from "../../../src/commands/mouse.js";
import { permissions } from "../../../src/commands/permissions.js";
import { plan } from "../../../src/commands/plan.js";
import { rename } from "../../../src/commands/rename.js";
import { resume } from "../../../src/commands/resume.js";
import { status } from "../../../src/commands/status.js";
import { theme } from "../../../src/commands/theme.js";
import { tui } from "../../../src/commands/tui.js";
import { fakeContext, fakeSession } from "../../helpers/fake-command-context.js";

const headless = { isInteractive: false };

test("/help opens the list of commands; headless it prints it", async () => {
  expect(await help.run("", fakeContext().context)).toEqual({
    kind: "picker",
    picker: { kind: "help", commands: fakeSession.commands },
  });
  expect(await help.run("", fakeContext(headless).context)).toEqual({ kind: "text", text: "/help: Show commands" });
});

test("/clear starts over, with a name if one is given", async () => {
  const { context, done } = fakeContext();
  expect(await clear.run("", context)).toEqual({ kind: "none" });
  await clear.run(" new work ", context);
  expect(done).toEqual([
    ["clear", undefined],
    ["clear", "new work"],
  ]);
});

test("/compact passes the focus on and says what it gained", async () => {
  const { context, done } = fakeContext();
  expect(await compact.run(" the tests ", context)).toEqual({
    kind: "text",
    text: "Compacted: 120,000 → 8,000 tokens",
  });
  expect(done).toEqual([["compact", "the tests"]]);
});

test("/compact says why it cannot", async () => {
  const fails = fakeContext({ compact: () => Promise.reject(new Error("There is nothing to compact")) });
  expect(await compact.run("", fails.context)).toEqual({
    kind: "text",
    text: "There is nothing to compact",
    isError: true,
  });
});

test("/cost shows money, time, changes and each model's tokens", async () => {
  const rows = [
    { label: "Total cost", value: "$0.0123" },
    { label: "API time", value: "1.5s" },
    { label: "Wall time", value: "1m 5s" },
    { label: "Code changes", value: "3 lines added, 1 removed" },
    { label: "model-a", value: "1,234 input, 5 output, 0 cache read, 10 cache write ($0.0123)" },
  ];
  expect(await cost.run("", fakeContext().context)).toEqual({
    kind: "picker",
    picker: {
      kind: "settings",
      tab: "usage",
      usage: rows,
      status: [{ label: "Version", value: "3.0.0" }],
      settings: await fakeContext().context.settingRows(),
    },
  });
  expect(await cost.run("", fakeContext(headless).context)).toEqual({
    kind: "text",
    text: rows.map(({ label, value }) => `${label}: ${value}`).join("\n"),
  });
});

test("/model without a name opens the picker, headless it lists", async () => {
  const { context } = fakeContext();
  expect(await model.run("", context)).toEqual({
    kind: "picker",
    picker: { kind: "model", models: context.models() },
  });
  expect(await model.run("", fakeContext(headless).context)).toEqual({
    kind: "text",
    text: "Model: Model A\n* a: Model A",
  });
});

test("/model with a name switches: for good interactively, for this run headless", async () => {
  const { context, done } = fakeContext();
  expect(await model.run("b", context)).toEqual({ kind: "text", text: "Model: Model B" });
  await model.run("default", context);
  expect(done).toEqual([
    ["setModel", "b", true],
    ["setModel", null, true],
  ]);
  const other = fakeContext(headless);
  await model.run("b", other.context);
  expect(other.done).toEqual([["setModel", "b", false]]);
  const fails = fakeContext({ setModel: () => Promise.reject(new Error("No model x")) });
  expect(await model.run("x", fails.context)).toEqual({ kind: "text", text: "No model x", isError: true });
});

test("/permissions opens the rules", async () => {
  expect(await permissions.run("", fakeContext().context)).toMatchObject({
    kind: "picker",
    picker: { kind: "permissions" },
  });
  expect(await permissions.run("", fakeContext(headless).context)).toEqual({
    kind: "text",
    text: "Mode: default\nallow Bash(ls *) (user)\nfolder /project (start folder)",
  });
});

test("/plan goes into plan mode, and with a text starts planning it", async () => {
  const { context, done } = fakeContext();
  expect(await plan.run("", context)).toEqual({
    kind: "text",
    text: "Plan mode is on. The plan is written to /plans/p.md",
  });
  expect(await plan.run(" a cache ", context)).toEqual({ kind: "prompt", content: "a cache", shown: "/plan a cache" });
  expect(done).toEqual([
    ["setMode", "plan"],
    ["setMode", "plan"],
  ]);
});

test("/resume opens the list, or goes to the session of that id or title", async () => {
  const { context, done } = fakeContext();
  const picker = { kind: "sessions", sessions: [], scope: "project", isComplete: true };
  expect(await resume.run("", context)).toEqual({ kind: "picker", picker });
  expect(await resume.run(" one ", context)).toEqual({ kind: "none" });
  expect(done).toEqual([["resume", "one"]]);
  const unclear = fakeContext({ resume: async () => "unclear" });
  expect(await resume.run("two", unclear.context)).toEqual({ kind: "picker", picker: { ...picker, query: "two" } });
});

test("/resume says why a session cannot be resumed", async () => {
  const fails = fakeContext({ resume: () => Promise.reject(new Error("Open in another window")) });
  expect(await resume.run("one", fails.context)).toEqual({
    kind: "text",
    text: "Open in another window",
    isError: true,
  });
});

test("/rename and /branch pass the name on and say where one is now", async () => {
  const { context, done } = fakeContext();
  expect(await rename.run(" night watch ", context)).toMatchObject({
    text: 'This conversation is called "night watch" now.',
  });
  expect(await rename.run("", context)).toMatchObject({ text: expect.stringContaining("a name that was made") });
  expect(await branch.run("try two", context)).toMatchObject({ text: expect.stringContaining('"try two"') });
  expect(await branch.run("", context)).toMatchObject({ text: expect.stringContaining("/resume s1") });
  expect(done).toEqual([
    ["rename", "night watch"],
    ["rename", undefined],
    ["branch", "try two"],
    ["branch", undefined],
  ]);
});

test("/export writes a file, copies, or prints without a screen", async () => {
  const { context, done } = fakeContext();
  expect(await exportConversation.run(" talk.txt ", context)).toMatchObject({
    text: "The conversation is in /project/talk.txt",
  });
  expect(done).toEqual([["saveNew", "talk.txt", "> hello\n\nHi.\n"]]);
  expect(await exportConversation.run("", context)).toEqual({ kind: "screen", change: { copy: "> hello\n\nHi.\n" } });
  expect(await exportConversation.run("", fakeContext(headless).context)).toEqual({
    kind: "text",
    text: "> hello\n\nHi.",
  });
  const empty = fakeContext({ conversationText: async () => "" });
  expect(await exportConversation.run("", empty.context)).toMatchObject({ isError: true });
});

test("/memory opens the instruction files", async () => {
  expect(await memory.run("", fakeContext().context)).toMatchObject({ kind: "picker", picker: { kind: "memory" } });
  expect(await memory.run("", fakeContext(headless).context)).toEqual({
    kind: "text",
    text: "Project: /project/CLAUDE.md (not there yet)",
  });
});

test("/status shows its rows", async () => {
  const rows = [{ label: "Version", value: "3.0.0" }];
  expect(await status.run("", fakeContext().context)).toMatchObject({
    kind: "picker",
    picker: { kind: "settings", tab: "status", status: rows },
  });
  expect(await status.run("", fakeContext(headless).context)).toEqual({ kind: "text", text: "Version: 3.0.0" });
});

test("/exit leaves with 0", async () => {
  expect(await exit.run("", fakeContext().context)).toEqual({ kind: "exit", code: 0 });
});

test("/context opens the picker; headless it is Markdown tables, with pipes escaped", async () => {
  const { context: onScreen } = fakeContext();
  expect(await contextCommand.run("", onScreen)).toMatchObject({
    kind: "picker",
    picker: { kind: "context" },
  });
  const { context: headless } = fakeContext({ isInteractive: false });
  expect(await contextCommand.run("", headless)).toEqual({
    kind: "text",
    text: [
      "## Context",
      "Model A: 61,000 of 200,000 tokens (30.5 %), compacted by itself at 167,000",
      "| Part | Tokens | Share |\n| --- | --- | --- |\n| system prompt | 3,000 | 1.5 % |\n| conversation | 58,000 | 29.0 % |\n| free | 106,000 | 53.0 % |\n| kept for compaction | 33,000 | 16.5 % |",
      "| Item | Tokens | Note |\n| --- | --- | --- |\n| Read a\\|b.ts | 12,100 | 14 turns ago |",
    ].join("\n\n"),
  });
});

test("/theme opens the themes, or changes to one", async () => {
  const { context } = fakeContext();
  expect(await theme.run("", context)).toEqual({ kind: "picker", picker: { kind: "theme" } });
  expect(await theme.run(" light ", context)).toEqual({ kind: "screen", change: { theme: "light" } });
});

test("/tui and /mouse switch, go where they are told, and say what they take", async () => {
  const { context } = fakeContext();
  const changes = await Promise.all([
    tui.run("", context),
    tui.run("default", context),
    tui.run("fullscreen", context),
    mouse.run("", context),
    mouse.run("off", context),
  ]);
  expect(changes).toEqual([
    { kind: "screen", change: { layout: "toggle" } },
    { kind: "screen", change: { layout: "inline" } },
    { kind: "screen", change: { layout: "fullscreen" } },
    { kind: "screen", change: { mouse: "toggle" } },
    { kind: "screen", change: { mouse: "off" } },
  ]);
  expect(await tui.run("sideways", context)).toMatchObject({ kind: "text", isError: true });
  expect(await mouse.run("sideways", context)).toMatchObject({ kind: "text", isError: true });
});
