// Which allow rules the auto mode sets aside.
import { expect, test } from "vitest";
import { isBroadRule } from "../../../src/permissions/broad-rules.js";
import { parseRule } from "../../../src/permissions/rules.js";
import type { Behavior, Rule } from "../../../src/permissions/types.js";

const broad = (text: string, behavior: Behavior = "allow"): boolean =>
  isBroadRule(parseRule(text, { behavior, source: "user", root: "/" }) as Rule);

test.each([
  "Bash",
  "Bash(*)",
  "Bash(python *)",
  "Bash(python3.12:*)",
  "Bash(/usr/bin/node *)",
  "Bash(npm *)",
  "Bash(npm run *)",
  "Bash(npx *)",
  "Bash(bash -c *)",
  "Bash(sudo *)",
  "Bash(* --version)",
  "Bash(py*)",
  "Bash(curl *)",
  "Bash(git *)",
  "Agent",
  "Agent(Explore)",
  "Monitor",
])("%s is set aside", (rule) => {
  expect(broad(rule)).toBe(true);
});

test.each([
  "Bash(npm run build *)",
  "Bash(npm test)",
  "Bash(git log *)",
  "Bash(npm run lint)",
  "Bash(ls *)",
  "Edit(/src/**)",
  "WebFetch(domain:example.com)",
  "mcp__github__get_*",
  "Read",
])("%s stays", (rule) => {
  expect(broad(rule)).toBe(false);
});

test("deny and ask rules are never set aside", () => {
  expect([broad("Bash", "deny"), broad("Bash(python *)", "ask")]).toEqual([false, false]);
});
