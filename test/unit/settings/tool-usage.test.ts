import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createUsageCounter, isRarelyUsed, readToolUsage, usageScore } from "../../../src/settings/tool-usage.js";

const day = 86_400_000;
const now = 1_000 * day;

const place = () => {
  const dir = mkdtempSync(join(tmpdir(), "usage-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const state = { file: join(dir, ".claude.json"), configDir: dir };
  return { state, read: () => JSON.parse(readFileSync(state.file, "utf8")) as Record<string, unknown> };
};

test("a score halves with each week and never falls below a tenth", () => {
  const score = (days: number) => usageScore({ usageCount: 1000, lastUsedAt: now - days * day }, now);
  expect([score(0), score(7), score(14), score(70)]).toEqual([1000, 500, 250, 100]);
});

test("a last use in the future counts as now", () => {
  expect(usageScore({ usageCount: 10, lastUsedAt: now + day }, now)).toBe(10);
});

test("below 500 a tool is rarely used; one that was never used is too", () => {
  const usage = {
    A: { usageCount: 500, lastUsedAt: now },
    B: { usageCount: 499, lastUsedAt: now },
    C: { usageCount: 4_999, lastUsedAt: now - 1000 * day },
  };
  expect(["A", "B", "C", "D", "constructor"].map((name) => isRarelyUsed(usage, name, now))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
});

test("two programs that count at the same time lose nothing, and other entries stay", async () => {
  const { state, read } = place();
  writeFileSync(
    state.file,
    JSON.stringify({ other: 1, toolUsage: { Read: { usageCount: 2, lastUsedAt: 5 }, Odd: "x" } }),
  );
  const counters = [createUsageCounter(state, () => 10), createUsageCounter(state, () => 20)];
  await Promise.all(
    counters.map(async (counter) => {
      for (let at = 0; at < 5; at += 1) {
        counter.count("Read");
        await counter.flush();
      }
      counter.count("Bash");
      await counter.flush();
    }),
  );
  expect(read()).toEqual({
    other: 1,
    toolUsage: {
      Read: { usageCount: 12, lastUsedAt: 20 },
      Bash: { usageCount: 2, lastUsedAt: 20 },
      Odd: "x",
    },
  });
  expect(await readToolUsage(state)).toEqual({
    Read: { usageCount: 12, lastUsedAt: 20 },
    Bash: { usageCount: 2, lastUsedAt: 20 },
  });
});

test("what could not be written is written the next time", async () => {
  const { state, read } = place();
  const file = state.file;
  const broken = { ...state, file: "/dev/null/no/.claude.json" };
  const counter = createUsageCounter(broken, () => 7);
  counter.count("Read");
  await counter.flush();
  broken.file = file;
  await counter.flush();
  expect(read()).toEqual({ toolUsage: { Read: { usageCount: 1, lastUsedAt: 7 } } });
});

test("nothing was counted: nothing is written", async () => {
  const { state } = place();
  await createUsageCounter(state, () => 7).flush();
  expect(() => readFileSync(state.file)).toThrow("ENOENT");
});
