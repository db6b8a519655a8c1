// Offers not to ask again say exactly what they would cover, and are missing where that cannot be said.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { decide } from "../../../src/permissions/decide.js";
import { contextOf, decideCommand } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let analyse: ShellAnalyser;

beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const offered = (command: string): string[] =>
  decideCommand(command, fixture, analyse).suggestions.flatMap(({ updates }) =>
    updates.flatMap((update) => ("rules" in update ? update.rules.map(({ ruleContent }) => ruleContent ?? "") : [])),
  );

test("a command is offered by its first words, a list by each part that needed approval", () => {
  expect(offered("npm run build -- --watch")).toEqual(["npm run build *"]);
  expect(offered("git push origin main")).toEqual(["git push *"]);
  expect(offered("ls && make all && git status && pytest -x")).toEqual(["make all *", "pytest *"]);
  expect(offered("docker ps")).toEqual(["docker ps *"]);
});

test("interpreters are never offered, removals only as they stand", () => {
  expect(offered("python3 scripts/gen.py")).toEqual([]);
  expect(offered("rm build/out.js")).toEqual(["rm build/out.js"]);
  expect(offered("node $X")).toEqual([]);
});

test("nothing is offered for what a rule cannot cover, or for more than five parts", () => {
  for (const command of [
    "sudo make",
    "eval make",
    "$X",
    "PATH=. make",
    "echo $(make) > x && $Y",
    "a1; a2; a3; a4; a5; a6",
  ])
    expect([command, offered(command)]).toEqual([command, []]);
});

test("the label names the rules and the folder they are kept for", () => {
  const { suggestions } = decideCommand("npm test", fixture, analyse);
  expect(suggestions[0]?.label).toBe(`don't ask again for npm test * in ${fixture.root}`);
});

test("an edit offers the session's acceptEdits, a read outside offers its folder, a fetch offers its host", () => {
  const context = contextOf(fixture, {});
  const ask = (tool: string, input: Record<string, unknown>, facts: { reads: string[]; writes: string[] }) =>
    decide({ tool, input, facts, isReadOnly: facts.writes.length === 0 }, context).suggestions.map(
      ({ updates }) => updates[0],
    );
  expect(ask("Edit", {}, { reads: [], writes: [join(fixture.root, "a.txt")] })).toEqual([
    { type: "setMode", mode: "acceptEdits", destination: "session" },
  ]);
  expect(ask("Read", {}, { reads: [join(fixture.out, "x [1]/a.txt")], writes: [] })).toEqual([
    {
      type: "addRules",
      behavior: "allow",
      destination: "session",
      rules: [{ toolName: "Read", ruleContent: `/${fixture.out}/x \\[1\\]/**` }],
    },
  ]);
  expect(ask("Edit", {}, { reads: [], writes: [join(fixture.out, "a.txt")] })).toEqual([]);
  const fetch = decide(
    { tool: "WebFetch", input: { url: "https://Example.com/a" }, facts: undefined, isReadOnly: true },
    context,
  );
  expect(fetch.suggestions[0]?.updates[0]).toMatchObject({
    rules: [{ toolName: "WebFetch", ruleContent: "domain:example.com" }],
  });
});
