// Lines in the scrollback: everything printed once, the live part drawn in place, seen through a terminal emulator.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createInlinePainter } from "../../../../components/terminal/inline-painter.js";
import { createEmulator } from "./emulator.js";

const size = { columns: 40, rows: 10 };

const setUp = (emulator = createEmulator(size.columns, size.rows)) => {
  const state = { finished: [] as string[], tail: [] as string[] };
  const painter = createInlinePainter({
    take: () => state.finished.splice(0),
    tail: (height) => (height === 0 ? [] : state.tail.slice(-height)),
  });
  let bytes = "";
  const frame = async (ink: string[], cursor: { rowFromBottom: number; column: number } | null = null, now = size) => {
    const next = painter.next({ ink, cursor, size: now });
    bytes += next.bytes;
    await emulator.write(next.bytes);
    return next.bytes;
  };
  const all = (): string[] => {
    const { active } = emulator.terminal.buffer;
    const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
    while (rows.at(-1) === "") rows.pop();
    return rows;
  };
  return { state, painter, frame, all, emulator, bytes: () => bytes };
};

test("finished rows scroll into the scrollback, each once; the prompt stays below", async () => {
  const { state, frame, all, bytes } = setUp();
  const expected: string[] = [];
  for (let round = 0; round < 30; round++) {
    state.tail = [`growing ${round}`];
    await frame(["────", "❯ ", "────"], { rowFromBottom: 1, column: 2 });
    state.finished = [`row ${round}`, ""];
    state.tail = [];
    expected.push(`row ${round}`, "");
    await frame(["────", "❯ ", "────"], { rowFromBottom: 1, column: 2 });
  }
  expect(all()).toEqual([...expected, "────", "❯ ", "────"]);
  expect(bytes()).not.toMatch(/\u001b\[[23]J|\u001b\[\?1049h|\u001bc/);
});

test("the same frame again sends nothing; a changed row sends only that row", async () => {
  const { frame } = setUp();
  await frame(["one", "two", "three"]);
  expect(await frame(["one", "two", "three"])).toBe("");
  const bytes = await frame(["one", "TWO", "three"]);
  expect(bytes).toContain("TWO");
  expect(bytes).not.toContain("three");
});

test("the cursor stands where the caret is", async () => {
  const { frame, emulator } = setUp();
  await frame(["rule", "❯ abc", "rule", "footer"], { rowFromBottom: 2, column: 5 });
  expect(emulator.cursor()).toEqual({ column: 5, row: 1 });
});

test("leaving takes the live part away and leaves what was printed", async () => {
  const { state, painter, frame, all, emulator } = setUp();
  state.finished = ["kept"];
  await frame(["rule", "❯ ", "rule"], { rowFromBottom: 1, column: 2 });
  await emulator.write(painter.suspend());
  expect(all()).toEqual(["kept"]);
  expect(painter.suspend()).toBe("");
});

test("F005 a narrower terminal: the live part is drawn anew and stands there once", async () => {
  const { state, painter, frame, emulator, all } = setUp();
  state.finished = ["printed before"];
  await frame(["─".repeat(40), "❯ draft", "─".repeat(40)], { rowFromBottom: 1, column: 7 });
  emulator.terminal.resize(30, 10);
  painter.forget("clear", { columns: 30, rows: 10 });
  await frame(["─".repeat(30), "❯ draft", "─".repeat(30)], { rowFromBottom: 1, column: 7 }, { columns: 30, rows: 10 });
  expect(all().filter((row) => row.includes("draft"))).toEqual(["❯ draft"]);
  expect(all().filter((row) => row === "printed before")).toHaveLength(1);
});

test("whatever grows, shrinks and finishes, the screen is what was printed and the live part below it", async () => {
  const step = fc.record({
    finished: fc.array(fc.constantFrom("done", "日本語 text", "─".repeat(40), ""), { maxLength: 14 }),
    tail: fc.array(fc.constantFrom("tail a", "tail b"), { maxLength: 4 }),
    ink: fc.array(fc.constantFrom("rule", "❯ x", "x".repeat(40), "footer"), { minLength: 1, maxLength: 6 }),
    row: fc.nat(5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { state, frame, all } = setUp();
      const printed: string[] = [];
      let live: string[] = [];
      for (const { finished, tail, ink, row } of steps) {
        state.finished = [...finished];
        state.tail = tail;
        printed.push(...finished);
        await frame(ink, { rowFromBottom: Math.min(row, ink.length - 1), column: 0 });
        const room = Math.max(0, Math.min(size.rows - 7, size.rows - 1 - ink.length));
        live = [...(room === 0 ? [] : tail.slice(-room)), ...ink];
      }
      const expected = [...printed, ...live];
      while (expected.at(-1) === "") expected.pop();
      expect(all()).toEqual(expected);
    }),
    { seed: 11, numRuns: 60 },
  );
});
