import { expect, test } from "vitest";
import type { CommandContext } from "../../../src/commands/command.js";
import { keybindings } from "../../../src/commands/keybindings.js";
import { vim } from "../../../src/commands/vim.js";

const context = {} as CommandContext;

test.each([
  ["", { kind: "screen", change: { editorMode: "toggle" } }],
  ["on", { kind: "screen", change: { editorMode: "vim" } }],
  ["off", { kind: "screen", change: { editorMode: "normal" } }],
  ["maybe", { kind: "text", text: "Say /vim on, /vim off, or /vim alone to switch.", isError: true }],
])("/vim %s", async (args, result) => {
  expect(await vim.run(args, context)).toEqual(result);
});

test("/keybindings asks the screen to open the file", async () => {
  expect(await keybindings.run("", context)).toEqual({ kind: "screen", change: { keybindings: "edit" } });
});
