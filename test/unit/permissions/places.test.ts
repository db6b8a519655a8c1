// Where a call runs and who may answer for it: sandbox, auto mode, the grant to edit the project's own settings.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { decide } from "../../../src/permissions/decide.js";
import { parseRule } from "../../../src/permissions/rules.js";
import type { DecisionContext, Rule } from "../../../src/permissions/types.js";
import { type Case, contextOf } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let analyse: ShellAnalyser;
beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const open = { takesAll: true, autoAllows: true, mayLeave: true, excluded: [] as string[] };

const run = (
  command: string,
  given: Partial<Case> & { sandbox?: Partial<DecisionContext["sandbox"]>; leave?: boolean } = {},
) => {
  const { sandbox, leave, ...rest } = given;
  const context = { ...contextOf(fixture, rest), ...(sandbox ? { sandbox: { ...open, ...sandbox } } : {}) };
  const input = { command, ...(leave ? { dangerouslyDisableSandbox: true } : {}) };
  const facts = { reads: [], writes: [], command };
  const shell = analyse(command, { ...context, env: {} });
  const { outcome, isConfined = false } = decide({ tool: "Bash", input, facts, isReadOnly: false }, context, shell);
  return isConfined ? `${outcome} inside` : outcome;
};

describe("with a sandbox for all commands", () => {
  const sandbox = {};
  test("what would ask runs inside, what reads is allowed and runs inside too", () => {
    expect(run("npm install", { sandbox })).toBe("sandbox inside");
    expect(run("ls", { sandbox })).toBe("allow inside");
  });

  test("a bare ask rule does not speak for what runs inside, a scoped one and every deny rule do", () => {
    expect(run("npm install", { sandbox, rules: { ask: ["Bash"] } })).toBe("sandbox inside");
    expect(run("npm install", { sandbox, rules: { ask: ["Bash", "Bash(npm *)"] } })).toBe("ask inside");
    expect(run("npm install", { sandbox, rules: { deny: ["Bash(npm *)"] } })).toBe("deny");
  });

  test.each(["rm -rf /", "rm -rf ~", "echo x > .git/hooks/pre-commit", "ls \u202Ex"])("%j still asks", (command) => {
    expect(run(command, { sandbox })).toBe("ask inside");
  });

  test("plan mode and switched-off auto-allow ask as ever, inside", () => {
    expect(run("npm install", { sandbox, mode: "plan" })).toBe("ask inside");
    expect(run("npm install", { sandbox: { autoAllows: false } })).toBe("ask inside");
  });

  test("an excluded command runs outside under the usual rules: excluding widens nothing", () => {
    const excluding = { excluded: ["docker *"] };
    expect(run("docker ps", { sandbox: excluding })).toBe("ask");
    expect(run("true && docker ps", { sandbox: excluding })).toBe("ask");
  });

  test("a wish to leave goes through the usual rules, or is not heard where leaving is switched off", () => {
    expect(run("npm install", { sandbox, leave: true })).toBe("ask");
    expect(run("npm install", { sandbox: { mayLeave: false }, leave: true })).toBe("sandbox inside");
  });
});

test("a sandbox rule sends only its commands inside, and a deny or ask rule comes first", () => {
  const ruled = (command: string, more: Rule[] = []) => {
    const base = contextOf(fixture, {});
    const rule = parseRule("Bash(npm *)", { behavior: "sandbox", source: "user", root: "/" }) as Rule;
    const full = { ...base, rules: [rule, ...more], sandbox: { ...open, takesAll: false } };
    const facts = { reads: [], writes: [], command };
    const found = decide(
      { tool: "Bash", input: { command }, facts, isReadOnly: false },
      full,
      analyse(command, { ...full, env: {} }),
    );
    return `${found.outcome}${found.isConfined ? " inside" : ""}`;
  };
  expect(ruled("npm install")).toBe("sandbox inside");
  expect(ruled("touch x")).toBe("ask");
  const deny = parseRule("Bash(npm install)", { behavior: "deny", source: "user", root: "/" }) as Rule;
  expect(ruled("npm install", [deny])).toBe("deny");
});

describe("in auto mode", () => {
  const decided = (command: string, rules: Partial<Case>["rules"] = {}) => {
    const context = contextOf(fixture, { mode: "auto", rules });
    const facts = { reads: [], writes: [], command };
    return decide(
      { tool: "Bash", input: { command }, facts, isReadOnly: false },
      context,
      analyse(command, { ...context, env: {} }),
    );
  };

  test("edits in the folders run, removals and everything else are for the classifier", () => {
    expect(decided("mkdir -p a && touch a/b").outcome).toBe("allow");
    expect(decided("rm a.txt")).toMatchObject({ outcome: "ask" });
    expect(decided("rm a.txt").isForPerson ?? false).toBe(false);
    expect(decided("node x.js").isForPerson ?? false).toBe(false);
  });

  test.each([
    ["an ask rule", "npm test", { ask: ["Bash(npm *)"] }],
    ["a critical removal", "rm -rf /", {}],
    ["a file that starts programs", "echo x > .git/hooks/pre-commit", {}],
    ["hidden text", "ls \u202Ex", {}],
    ["what deny rules cannot see into", 'bash -c "$X"', { deny: ["Bash(rm *)"] }],
  ])("%s is for a person", (_, command, rules) => {
    expect(decided(command, rules)).toMatchObject({ outcome: "ask", isForPerson: true });
  });

  test("a protected file that starts nothing may be judged by the classifier", () => {
    expect(decided("touch .vscode/x.json").isForPerson ?? false).toBe(false);
  });
});

describe("the project's own settings", () => {
  const write = (path: string, extra: Rule[] = []) => {
    const context = { ...contextOf(fixture, {}), rules: extra };
    const facts = { reads: [], writes: [path], isInteraction: false };
    return decide({ tool: "Write", input: { file_path: path }, facts, isReadOnly: false }, context);
  };
  const grant = (source: Rule["source"]): Rule =>
    parseRule("Edit(/.claude/**)", { behavior: "allow", source, root: fixture.root }) as Rule;

  test("a question about them offers to open them for the session, other protected files offer nothing", () => {
    const { outcome, suggestions } = write(`${fixture.root}/.claude/settings.json`);
    expect(outcome).toBe("ask");
    expect(suggestions.map(({ label }) => label)).toEqual([
      "allow editing this project's own settings (.claude/) during this session",
    ]);
    expect(write(`${fixture.root}/.git/hooks/x`).suggestions).toEqual([]);
  });

  test("only a grant of this session opens them, and only them", () => {
    const file = `${fixture.root}/.claude/settings.json`;
    expect(write(file, [grant("session")]).outcome).toBe("allow");
    expect(write(file, [grant("project")]).outcome).toBe("ask");
    expect(write(`${fixture.root}/src/.claude/settings.json`, [grant("session")]).outcome).toBe("ask");
    expect(write(`${fixture.home}/.claude/settings.json`, [grant("session")]).outcome).toBe("ask");
    expect(write(`${fixture.root}/.mcp.json`, [grant("session")]).outcome).toBe("ask");
  });
});
