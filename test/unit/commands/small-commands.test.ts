// /copy, /effort, /add-dir and the commands that are prompts.
import { expect, test } from "vitest";
import { addDir } from "../../../src/commands/add-dir.js";
import { codeBlocks, copy } from "../../../src/commands/copy.js";
import { effort } from "../../../src/commands/effort.js";
import { promptCommands } from "../../../src/commands/prompts/index.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

test("/copy copies an answer; one with code is asked about", async () => {
  const { context } = fakeContext();
  expect(await copy.run("2", context)).toEqual({ kind: "screen", change: { copy: "The first answer." } });
  expect(await copy.run("1 code 1", context)).toEqual({ kind: "screen", change: { copy: "const a = 1;\n" } });
  expect(await copy.run("", context)).toMatchObject({
    kind: "picker",
    picker: {
      rows: [{ command: "/copy 1 all" }, { label: "const a = 1;", detail: "ts · 1 lines", command: "/copy 1 code 1" }],
    },
  });
  expect(await copy.run("9", context)).toMatchObject({ kind: "text", isError: true });
  expect(await copy.run("1 code 2", context)).toMatchObject({ kind: "text", isError: true });
  expect(await copy.run("", fakeContext({ answers: () => [] }).context)).toMatchObject({
    text: "There is no answer yet.",
  });
});

test("code blocks end at their own fence", () => {
  expect(codeBlocks("````md\n```js\na\n```\n````\n~~~\nb\n~~~\n")).toEqual([
    { language: "md", code: "```js\na\n```\n" },
    { language: "", code: "b\n" },
  ]);
});

test("/effort lists the levels, sets one, refuses others", async () => {
  const { context } = fakeContext();
  expect(await effort.run("", context)).toMatchObject({
    kind: "picker",
    picker: {
      rows: expect.arrayContaining([
        { label: "max", detail: expect.any(String), isCurrent: false, command: "/effort max" },
      ]),
    },
  });
  expect(await effort.run("HIGH", context)).toEqual({ kind: "text", text: "Effort: high" });
  expect(await effort.run("huge", context)).toMatchObject({ isError: true });
});

test("/add-dir wants a folder", async () => {
  const { context } = fakeContext();
  expect(await addDir.run(" ", context)).toMatchObject({ isError: true });
  expect(await addDir.run('"/a b"', context)).toEqual({ kind: "text", text: "/a b was added" });
});

test("commands that are prompts pass on what stands behind them and show what was typed", async () => {
  for (const command of promptCommands) {
    const result = await command.run(" the parser ", fakeContext().context);
    expect(result).toMatchObject({ kind: "prompt", shown: `/${command.name} the parser` });
    expect(result.kind === "prompt" && result.content).toContain("the parser");
  }
  expect(promptCommands.map(({ name }) => name)).toEqual([
    "init",
    "review",
    "security-review",
    "simplify",
    "statusline",
  ]);
});
