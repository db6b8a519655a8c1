import { expect, test } from "vitest";
import { hooks } from "../../../src/commands/hooks.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

test("on the screen /hooks opens the browser, headless it lists the hooks", async () => {
  const { context } = fakeContext();
  expect(await hooks.run("", context)).toMatchObject({ kind: "picker", picker: { kind: "hooks" } });
  const headless = fakeContext({ isInteractive: false });
  expect(await hooks.run("", headless.context)).toEqual({
    kind: "text",
    text: "PreToolUse Bash: ./guard.sh (Project)\nStop: npm test (User)",
  });
});

test("without hooks it says so, and why where a switch is the reason", async () => {
  const none = (note?: string) =>
    fakeContext({ isInteractive: false, hooksPicker: () => ({ kind: "hooks", events: [], note }) }).context;
  expect(await hooks.run("", none())).toEqual({ kind: "text", text: "No hooks are in force." });
  expect(await hooks.run("", none("switched off (disableAllHooks)"))).toEqual({
    kind: "text",
    text: "Hooks: switched off (disableAllHooks)",
  });
});
