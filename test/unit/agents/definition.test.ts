// Agent files become agents: the cases of the list by their ids.
import { describe, expect, test } from "vitest";
import { parseAgentFile } from "../../../src/agents/definition.js";

const parse = (head: string, body = "You review.\n") =>
  parseAgentFile(`---\n${head}\n---\n${body}`, { source: "project", file: "/p/x.md" });

const agentOf = (head: string, body?: string) => {
  const parsed = parse(head, body);
  if (parsed.kind !== "agent") throw new Error(JSON.stringify(parsed));
  return parsed.agent;
};

const base = "name: a\ndescription: d";

test("a whole definition", () => {
  expect(
    agentOf(
      [
        "name: style reviewer",
        "description: Use for: style.",
        "tools: Read, Bash(git:*)",
        "disallowedTools: [Write]",
        "model: haiku",
        "color: Yellow",
        "permissionMode: plan",
        "maxTurns: 7",
        "effort: high",
        "background: true",
        "isolation: worktree",
        "memory: project",
      ].join("\n"),
    ),
  ).toEqual({
    name: "style reviewer",
    description: "Use for: style.",
    prompt: "You review.",
    tools: ["Read", "Bash(git:*)"],
    disallowedTools: ["Write"],
    model: "haiku",
    color: "yellow",
    permissionMode: "plan",
    maxTurns: 7,
    effort: "high",
    isBackground: true,
    isolation: "worktree",
    memory: "project",
    source: "project",
    file: "/p/x.md",
  });
});

test("A2 written-out line breaks in a description become line breaks, other escapes stay", () => {
  expect(agentOf('name: a\ndescription: Use it.\\n\\n<example>\\nuser: "hi"\\t\\n</example>').description).toBe(
    'Use it.\n\n<example>\nuser: "hi"\\t\n</example>',
  );
});

test.each([
  "description:",
  "x: y",
  "description: true",
  "description: 42",
  "description: [one, two]",
  "Description: d",
])("A6 A42 %s: not loaded, the reason is the description", (line) =>
  expect(parse(`name: a\n${line}`)).toMatchObject({ kind: "problem", reason: "description" }),
);

test.each(["x: y", "name: 123", "name: [a]", "name: a:b", "Name: a"])(
  "A7 A42 %s: not loaded, the reason is the name",
  (line) => expect(parse(`${line}\ndescription: d`)).toMatchObject({ kind: "problem", reason: "name" }),
);

test("A8 A9 a file without a block is ignored, one whose block never ends is told", () => {
  expect(parseAgentFile("# Read me\n", { source: "user" })).toEqual({ kind: "ignored" });
  expect(parseAgentFile("---\nname: a\n", { source: "user" })).toMatchObject({ kind: "problem", reason: "block" });
  expect(parseAgentFile("---\n---\n", { source: "user" })).toMatchObject({ kind: "problem", reason: "name" });
});

test("A11 CRLF leaves no carriage return in any value", () => {
  const parsed = parseAgentFile("---\r\nname: a\r\ndescription: d\r\n---\r\none\r\ntwo\r\n", { source: "user" });
  expect(parsed).toMatchObject({ agent: { name: "a", description: "d", prompt: "one\ntwo" } });
});

test("A36 an unknown model stays for later, an unknown colour is none", () => {
  expect(agentOf(`${base}\nmodel: gpt-4o\ncolor: "#10B981"`)).toMatchObject({ model: "gpt-4o", color: undefined });
  expect(agentOf(`${base}\nmodel: Claude Sonnet 4.5\ncolor: teal`).model).toBe("Claude Sonnet 4.5");
  expect(agentOf(`${base}\nmodel: inherit`).model).toBeUndefined();
});

describe("values nobody knows are left out and the file still loads", () => {
  test.each(["permissionMode: weird", "memory: global", "isolation: vm", "effort: huge", "maxTurns: many"])(
    "%s",
    (line) => {
      const parsed = parse(`${base}\n${line}`);
      expect(parsed).toMatchObject({ kind: "agent" });
      if (parsed.kind === "agent") expect(parsed.hints).toHaveLength(1);
    },
  );

  test("background: yes is no", () => expect(agentOf(`${base}\nbackground: yes`).isBackground).toBe(false));
});

test("A37 the keys of skills have no meaning in agents, and a hint says so", () => {
  const parsed = parse(`${base}\nallowed-tools: Read`);
  expect(parsed).toMatchObject({ kind: "agent", agent: { tools: undefined } });
  if (parsed.kind === "agent") expect(parsed.hints.join()).toContain("did you mean tools");
});

test("A44 A46 other alphabets, control characters and an empty body load", () => {
  expect(agentOf("name: 審査\ndescription: 用途：審査\u0001 🎉", "")).toMatchObject({ name: "審査", prompt: "" });
});
