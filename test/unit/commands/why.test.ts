import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { why } from "../../../src/commands/why.js";
import type { WhyEntry, WhyKind } from "../../../src/protocol/why.js";
import { createWhyLog, keepWhy, keptWhy } from "../../../src/query/why-log.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

const at = new Date(2026, 10, 30, 14, 5, 9).getTime();
const entry = (kind: WhyKind, what: string, times = 1): WhyEntry & { at: number; times: number } => ({
  kind,
  what,
  why: `reason of ${what}`,
  at,
  times,
});
const ask = async (args: string, ...entries: ReturnType<typeof entry>[]) => {
  const result = await why.run(args, fakeContext({ why: () => entries }).context);
  return result.kind === "text" ? result : undefined;
};

test("/why lists the kinds in a fixed order, each entry with time, reason and how often", async () => {
  const result = await ask("", entry("permission", "Allowed Bash ls", 3), entry("retry", "Asked again"));
  expect(result?.text).toBe(
    [
      "Retries",
      "  14:05:09  Asked again",
      "            reason of Asked again",
      "",
      "Permissions",
      "  14:05:09  Allowed Bash ls (3 times)",
      "            reason of Allowed Bash ls",
    ].join("\n"),
  );
});

test("/why shows five of a kind and where the others are; /why KIND shows them all", async () => {
  const entries = Array.from({ length: 7 }, (_, n) => entry("retry", `try ${n}`));
  expect((await ask("", ...entries))?.text).toContain("… 2 earlier: /why retry");
  const all =
    (await ask("retries", ...entries, entry("cache", "miss")))?.text ?? (await ask("retry", ...entries))?.text;
  expect(all).toContain("knows");
  expect((await ask("retry", ...entries, entry("cache", "miss")))?.text).toMatch(/try 0[\s\S]*try 6/);
  expect((await ask("permissions", entry("permission", "x")))?.text).toContain("Permissions");
});

test("/why says so when there is nothing, and names its kinds when the word is unknown", async () => {
  expect((await ask(""))?.text).toBe("Nothing has been decided yet.");
  expect((await ask("cache"))?.text).toBe("No request was sent yet.");
  expect(await ask("weather")).toMatchObject({ isError: true, text: expect.stringContaining("permission") });
});

test("the log keeps the newest of each kind and counts repetitions", () => {
  let now = 0;
  const log = createWhyLog(() => ++now);
  for (let n = 0; n < 25; n++) log.add({ kind: "retry", what: `try ${n}`, why: "busy" });
  log.add({ kind: "cache", what: "miss", why: "model" });
  log.add({ kind: "cache", what: "miss", why: "model" });
  expect(log.entries("retry")).toHaveLength(20);
  expect(log.entries("retry").at(-1)?.what).toBe("try 24");
  expect(log.entries("cache")).toEqual([{ kind: "cache", what: "miss", why: "model", at: 27, times: 2 }]);
  expect(log.entries()).toHaveLength(21);
});

test("a later process takes up what was decided before, in front of its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "why-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const session = { id: "s", places: { projectDir: folder }, options: { flags: {} } };
  let now = 0;
  const log = () =>
    createWhyLog(
      () => ++now,
      (line) => keepWhy(session, line),
    );
  const first = log();
  first.add({ kind: "retry", what: "asked again", why: "busy, key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" });
  first.add({ kind: "retry", what: "asked again", why: "reset" });
  appendFileSync(join(folder, "s/why.jsonl"), '{"kind":"retry","wh');
  const second = log();
  second.add({ kind: "cache", what: "missed", why: "model" });
  second.restore(keptWhy(session));
  expect(second.entries().map(({ what, why }) => `${what}: ${why}`)).toEqual([
    expect.stringMatching(/^asked again: busy, key (?!sk-ant-api03-abc)/),
    "asked again: reset",
    "missed: model",
  ]);
  expect(statSync(join(folder, "s/why.jsonl")).mode & 0o777).toBe(0o600);
  expect(keptWhy({ ...session, options: { flags: { persist: false } } })).toEqual([]);
});
