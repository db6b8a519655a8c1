import { expect, test } from "vitest";
import { type HookSource, matches, matchingHooks } from "../../../src/hooks/match.js";
import type { HookGroup } from "../../../src/settings/schema/hooks.js";

test.each([
  [undefined, "Bash", true],
  ["", "Bash", true],
  ["*", "Bash", true],
  ["Bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["bash", "Bash", false],
  ["Edit|Write", "Write", true],
  ["Edit , Write", "Write", true],
  ["Edit|Write", "NotebookEdit", false],
  ["mcp__memory", "mcp__memory__store", false],
  ["mcp__memory__.*", "mcp__memory__store", true],
  ["^Note", "NotebookEdit", true],
  ["Edit.*", "NotebookEdit", true],
  ["(", "(", false],
])("the matcher %s and the name %s: %s", (matcher, value, expected) => {
  expect(matches(matcher, value)).toBe(expected);
});

const source = (kind: HookSource["kind"], ...groups: HookGroup[]): HookSource => ({
  kind,
  hooks: { PreToolUse: groups },
});
const guard: HookGroup = { matcher: "Bash", hooks: [{ type: "command", command: "guard" }] };

test("all sources add up; the same handler of several settings files runs once, of a plugin again", () => {
  const found = matchingHooks(
    [
      source("project", guard),
      source("user", guard, { hooks: [{ type: "command", command: "log" }] }),
      source("plugin", guard),
    ],
    "PreToolUse",
    { tool_name: "Bash" },
  );
  expect(found.map(({ source: { kind }, handler, name }) => `${kind} ${handler.command} ${name}`)).toEqual([
    "project guard PreToolUse:Bash",
    "user log PreToolUse:Bash",
    "plugin guard PreToolUse:Bash",
  ]);
});

test("an event without matcher support calls every group", () => {
  const hooks = { Stop: [{ matcher: "Nothing", hooks: [{ type: "command", command: "gate" }] }] };
  expect(matchingHooks([{ kind: "user", hooks }], "Stop", {}).map(({ name }) => name)).toEqual(["Stop"]);
});
