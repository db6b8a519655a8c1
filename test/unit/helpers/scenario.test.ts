import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { playScenario } from "../../helpers/scenario.js";
import { matchSequence, matchText, misfit } from "../../helpers/scenario-match.js";
import { loadScenario } from "../../helpers/scenario-schema.js";

const program = resolve(import.meta.dirname, "../../fixtures/fake-agent.mjs");

const load = (yaml: string) => {
  const folder = mkdtempSync(join(tmpdir(), "scenario-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "sample.yaml");
  writeFileSync(file, yaml);
  return loadScenario(file);
};
const play = (yaml: string) => playScenario(load(yaml), { program });

const asking = (answer: string, after: string) => `
title: a write asks once
timeoutMs: 2000
files: { old.txt: "as it was" }
model:
  - { say: "I write it.", calls: [{ Write: { file_path: "new/a.txt", content: "hello" } }] }
  - { say: "Done in {{project}}." }
user:
  - { type: "write a file", press: enter }
  - { see: "Write new/a.txt?", press: "${answer}" }
  - { see: "Done in" }
after: ${after}
`;

test("a pty scenario types, sees, answers, and looks at disk and wire", async () => {
  await play(
    asking(
      "1",
      `{ files: { new/a.txt: hello, old.txt: /was$/ }, absent: [other], turns: 2, results: [ok],
         requests: [{ contains: write a file, messages: 1 }, { last: written, messages: 3 }] }`,
    ),
  );
});

test("a refusal is told from a success and from a failure", async () => {
  await play(asking("2", "{ absent: [new/a.txt], results: [denied] }"));
  await play(asking("2", "{ results: [error] }"));
  await expect(play(asking("2", "{ results: [ok] }"))).rejects.toThrow(/results: expected ok; were\n.*Write: denied/);
});

test("everything that is not as expected is listed", async () => {
  await expect(
    play(
      asking(
        "1",
        `{ files: { new/a.txt: bye, gone.txt: x }, absent: [old.txt], turns: 3, requests: [{ contains: nowhere }] }`,
      ),
    ),
  ).rejects.toThrow(
    /- turn 3|the end of answer 3[\s\S]*new\/a\.txt: expected "bye", is "hello"[\s\S]*gone\.txt: does not exist[\s\S]*old\.txt: should not exist[\s\S]*turns: expected 3, were 2[\s\S]*request 1: lacks "nowhere"/,
  );
});

test("a headless scenario checks exit code and output", async () => {
  const yaml = (expected: string) => `
title: headless
args: ["-p", "hi", "--yolo"]
model: [{ calls: [{ Write: { file_path: "{{project}}/b.txt", content: "x" } }] }, { say: "fine" }]
expect: ${expected}
after: { files: { b.txt: x }, results: [ok] }
`;
  await play(yaml("{ exit: 0, stdout: fine, stderr: { equals: '' } }"));
  await expect(play(yaml("{ exit: 1 }"))).rejects.toThrow(/exit: expected 1, was 0\n {2}stdout: fine/);
});

test("a step that never happens shows the step and the screen", async () => {
  await expect(
    play(`
title: waits in vain
timeoutMs: 3000
model: [{ say: hello }]
user: [{ type: hi, press: enter }, { see: goodbye }]
`),
  ).rejects.toThrow(/step 2 \{"see":"goodbye"\}: Not seen in 3000 ms[\s\S]*\|hello/);
});

test("a request the strict server refuses fails the scenario", async () => {
  await expect(play("{ title: t, prompt: '', model: [{ say: x }], expect: { exit: 1 } }")).rejects.toThrow(
    /the model server refused a request: messages\.0: all messages must have non-empty content/,
  );
});

test("a mistake in a file is named with its place", () => {
  expect(() => load("{ titel: x }")).toThrow(/sample\.yaml is no scenario:\n {2}title: .*\n {2}\(top\): .*titel/);
  expect(() => load("{ title: x, model: [{ says: a }] }")).toThrow(/model\.0: .*says/);
  expect(() => load("title: [")).toThrow(/not YAML/);
});

test("parts fit wholes by field, list position and pattern", () => {
  expect(misfit({ a: 1, b: [{ c: "xy" }] }, { b: [{ c: "/^x/" }] })).toBeUndefined();
  expect(misfit({ a: { b: 1 } }, { a: { b: 2 } })).toBe("a.b: expected 2, is 1");
  expect(misfit([1, 2], [1])).toBe(": expected 1 items, has 2");
  expect(matchSequence("s", [{ n: 1 }, { n: 2 }, { n: 3 }], [{ n: 1 }, { n: 3 }])).toEqual([]);
  expect(matchSequence("s", [{ n: 1 }, { n: 2 }], [{ n: 2 }, { n: 1 }])).toHaveLength(1);
  expect(matchText("t", "abc", { contains: ["a", "/C/i"], notContains: "z" })).toEqual([]);
  expect(matchText("t", "abc", { contains: "z", notContains: "a" })).toHaveLength(2);
});
