// Rule contents and what they cover.
import { expect, test } from "vitest";
import { matchesCommand, matchesContent, matchesDomain } from "../../../src/permissions/match.js";
import { coversTool, parseRule } from "../../../src/permissions/rules.js";
import type { Behavior, Rule } from "../../../src/permissions/types.js";

const rule = (text: string, behavior: Behavior = "allow"): Rule =>
  parseRule(text, { behavior, source: "user", root: "/" }) as Rule;

test("a blank before the last star makes a word boundary and also covers nothing", () => {
  const covered = (content: string, texts: string[]) => texts.filter((text) => matchesCommand(content, text));
  expect(covered("npm run *", ["npm run", "npm run x y", "npm runner"])).toEqual(["npm run", "npm run x y"]);
  expect(covered("npm run:*", ["npm run", "npm run x", "npm runner"])).toEqual(["npm run", "npm run x"]);
  expect(covered("ls*", ["ls", "lsof -i", "l"])).toEqual(["ls", "lsof -i"]);
  expect(covered("git * main", ["git push origin main", "git main", "git push main2"])).toEqual([
    "git push origin main",
  ]);
  expect(covered("echo a\\*b", ["echo a\\*b", "echo a*b", "echo axb"])).toEqual(["echo a\\*b", "echo a*b"]);
  expect(covered("a.c", ["a.c", "abc"])).toEqual(["a.c"]);
});

test("hosts match as a whole, stars only below or within a label", () => {
  const covered = (content: string) =>
    [
      "https://example.com/a",
      "http://a.example.com",
      "https://b.a.example.com",
      "https://example.com.evil.test",
      "not a url",
    ].filter((url) => matchesDomain(`domain:${content}`, url));
  expect(covered("EXAMPLE.com")).toEqual(["https://example.com/a"]);
  expect(covered("*.example.com")).toEqual(["http://a.example.com", "https://b.a.example.com"]);
  expect(covered("*")).toHaveLength(4);
});

test("MCP rules cover a server, one tool, or names behind the server", () => {
  const tools = ["mcp__git__get_log", "mcp__git__push", "mcp__github__get_log"];
  const covered = (text: string, behavior: Behavior = "allow") =>
    tools.filter((tool) => coversTool(rule(text, behavior), tool));
  expect(covered("mcp__git")).toEqual(tools.slice(0, 2));
  expect(covered("mcp__git__*")).toEqual(tools.slice(0, 2));
  expect(covered("mcp__git__get_*")).toEqual(tools.slice(0, 1));
  expect(covered("mcp__*")).toEqual([]);
  expect(covered("mcp__*", "deny")).toEqual(tools);
});

test("agents, skills and parameters match by their own fields", () => {
  expect(matchesContent(rule("Task(Explore)"), "Agent", { subagent_type: "Explore" })).toBe(true);
  expect(matchesContent(rule("Skill(commit *)"), "Skill", { skill: "commit", args: "-m x" })).toBe(true);
  expect(matchesContent(rule("Skill(commit)"), "Skill", { skill: "commit", args: "-m x" })).toBe(false);
  expect(matchesContent(rule("Agent(model:opus)", "deny"), "Agent", { model: "opus" })).toBe(true);
  expect(matchesContent(rule("Agent(model:opus)", "deny"), "Agent", {})).toBe(false);
  expect(matchesContent(rule("Agent(model:opus)"), "Agent", { model: "opus" })).toBe(false);
});
