// The given tables of shell and path cases, with the gates they were given with.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { readCases, report, runCase, scoreOf } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let analyse: ShellAnalyser;

beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const maxShare = 0.02; // the gate for false questions and soft misses

test.each(["bash-permissions.jsonl", "path-permissions.jsonl"])("%s passes its gates", (file) => {
  const results = readCases(file).map((item) => runCase(item, fixture, analyse));
  const { hard, soft, questions, benign, ruled, total } = scoreOf(results);
  const falseBenign = questions.filter(({ kind }) => kind.startsWith("benign."));
  const falseRuled = questions.filter(({ kind }) => /^(rules|modes)\./.test(kind));
  console.log(
    [report("HARD", hard), report("SOFT", soft), report("QUESTION", questions)]
      .filter((text) => text !== "")
      .join("\n"),
    `\n${file}: ${total} cases, hard ${hard.length}, soft ${soft.length}, false questions ${falseBenign.length}/${benign} benign, ${falseRuled.length}/${ruled} ruled`,
  );
  expect(hard).toEqual([]);
  expect(soft.length).toBeLessThanOrEqual(total * maxShare);
  expect(falseBenign.length).toBeLessThanOrEqual(benign * maxShare);
  expect(falseRuled.length).toBeLessThanOrEqual(ruled * maxShare);
});
