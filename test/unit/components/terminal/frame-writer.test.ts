// The writer: what it sends, replayed in a terminal emulator, must equal the rows it was given.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RawWrite } from "../../../../components/terminal/byte-pump.js";
import type { Size } from "../../../../components/terminal/frame-writer.js";
import { composeFrame } from "../../../../components/terminal/full-painter.js";
import { inlayMarks } from "../../../../components/terminal/inlay.js";
import { stripStyles, textWidth } from "../../../../src/lib/text-width.js";
import { createEmulator } from "./emulator.js";
import { createFullWriter } from "./full-writer.js";

const setUp = (size: Size, rawWrite?: (sent: string[]) => RawWrite) => {
  const sent: string[] = [];
  const write: RawWrite =
    rawWrite?.(sent) ??
    ((data, done) => {
      sent.push(data.toString("utf8"));
      setImmediate(() => done(null, data.length));
    });
  const writer = createFullWriter({ write, size: () => ({ ...size }) });
  return { writer, sent, size };
};

const words = ["ab", "word ", "中文", "👍🏽", "e\u0301", "─", "\u001b[31mred\u001b[0m", "\u001b[44mbg\u001b[0m", " "];
const row = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(""));
const step = fc.record({
  transcript: fc.array(row, { maxLength: 12 }),
  ink: fc.array(row, { maxLength: 6 }),
  columns: fc.option(fc.integer({ min: 4, max: 40 }), { freq: 6, nil: undefined }),
  rows: fc.option(fc.integer({ min: 2, max: 12 }), { freq: 6, nil: undefined }),
});

const plain = (text: string) => stripStyles(text).trimEnd();

test("the emulator shows exactly the rows of the last frame, under random frames and resizes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { writer, sent, size } = setUp({ columns: 30, rows: 8 });
      const emulator = createEmulator(size.columns, size.rows);
      await emulator.write("\u001b[?1049h\u001b[?7l\u001b[?25l");
      for (const { transcript, ink, columns, rows } of steps) {
        if (columns !== undefined || rows !== undefined) {
          size.columns = columns ?? size.columns;
          size.rows = rows ?? size.rows;
          emulator.terminal.resize(size.columns, size.rows);
        }
        writer.setTranscript(transcript);
        writer.setInkRows(ink);
        writer.setCursor({ rowFromBottom: 0, column: 1 });
        writer.request(true);
        await writer.settle();
        for (const bytes of sent.splice(0)) await emulator.write(bytes);
        const expected = composeFrame(transcript, ink, size);
        const fits = expected.every((text) => textWidth(text) <= size.columns);
        const shown = emulator.screen();
        if (fits) expect(shown).toEqual(expected.map(plain));
        else expect(shown.length).toBe(size.rows);
        expect(emulator.cursor()).toEqual({ column: Math.min(1, size.columns - 1), row: size.rows - 1 });
      }
    }),
    { seed: 42, numRuns: 30 },
  );
});

test("F001 F015 only changed rows are sent, in one write with sync marks, and nothing is ever cleared", async () => {
  const { writer, sent } = setUp({ columns: 40, rows: 6 });
  writer.setTranscript(["one", "two"]);
  writer.setInkRows(["rule", "> "]);
  writer.request(true);
  await writer.settle();
  writer.setTranscript(["one", "two three"]);
  writer.request(false);
  await writer.settle();
  expect(sent).toEqual([
    "\u001b[?2026h\u001b[1Hone\u001b[2Htwo\u001b[5Hrule\u001b[6H> \u001b[?2026l",
    "\u001b[?2026h\u001b[2Htwo three\u001b[?2026l",
  ]);
  expect(sent.join("")).not.toMatch(/\u001b\[[23]J|\u001bc/);
});

test("rows of the inlay stand where their marks are and change without a frame of Ink's", async () => {
  const { writer, sent } = setUp({ columns: 40, rows: 5 });
  let inlay = ["pane one", "pane two"];
  writer.setInlay(() => inlay);
  // The first mark was cut off above, as Ink does where rows are scarce; a mark within a text is text.
  writer.setInkRows([inlayMarks(2).split("\n")[1]!, `> ${inlayMarks(1)}`]);
  writer.request(true);
  await writer.settle();
  inlay = ["pane one", "pane 2"];
  writer.request(false);
  await writer.settle();
  inlay = [];
  writer.request(false);
  await writer.settle();
  const emulator = createEmulator(40, 5);
  const shown: string[][] = [];
  for (const bytes of sent) {
    await emulator.write(bytes);
    shown.push(emulator.screen().slice(-2));
  }
  const prompt = `> ${inlayMarks(1)}`;
  expect(shown).toEqual([
    ["pane two", prompt],
    ["pane 2", prompt],
    ["", prompt],
  ]);
});

test("F001 a streaming row sends only what is new", async () => {
  const { writer, sent } = setUp({ columns: 80, rows: 4 });
  let text = "  The answer grows";
  let shownBytes = 0;
  for (let index = 0; index < 10; index++) {
    writer.setTranscript([text]);
    writer.request(true);
    await writer.settle();
    text += " word";
    shownBytes += 5;
  }
  expect(sent.slice(1).join("").length).toBeLessThan(10 * shownBytes);
  expect(sent.at(-1)).toBe("\u001b[?2026h\u001b[1;58Hd word\u001b[?2026l");
});

test("a transcript that moved is scrolled by the terminal, both ways, and looks as if it were repainted", async () => {
  const all = Array.from(
    { length: 60 },
    (_, index) => `row ${index} ${"中文".repeat(index % 4)}\u001b[4${index % 8}m \u001b[0m`,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 52 }), { minLength: 2, maxLength: 12 }), async (tops) => {
      const { writer, sent } = setUp({ columns: 30, rows: 10 });
      const emulator = createEmulator(30, 10);
      await emulator.write("\u001b[?1049h\u001b[?7l");
      writer.setInkRows(["rule", "> "]);
      for (const top of tops) {
        const rows = all.slice(top, top + 8);
        writer.setTranscript(rows);
        writer.request(true);
        await writer.settle();
        for (const bytes of sent.splice(0)) await emulator.write(bytes);
        expect(emulator.screen()).toEqual([...rows, "rule", "> "].map(plain));
      }
    }),
    { seed: 4, numRuns: 25 },
  );
});

test("one new row at the end costs that row, not a repaint", async () => {
  const { writer, sent } = setUp({ columns: 80, rows: 24 });
  const rows = Array.from({ length: 40 }, (_, index) => `row ${index} ${"word ".repeat(12)}`);
  for (const end of [30, 31]) {
    writer.setTranscript(rows.slice(0, end));
    writer.request(true);
    await writer.settle();
  }
  expect(sent[1]).toBe(`\u001b[?2026h\u001b[1;24r\u001b[24H\n\u001b[r\u001b[24H${rows[30]}\u001b[?2026l`);
});

test("a narrower row erases to its right, a full row never does", async () => {
  const { writer, sent } = setUp({ columns: 5, rows: 1 });
  for (const text of ["abcde", "vwxyz", "ab"]) {
    writer.setTranscript([text]);
    writer.request(true);
    await writer.settle();
  }
  expect(sent.map((bytes) => bytes.includes("\u001b[K"))).toEqual([false, false, true]);
});

test("a frame taller than the screen keeps its last rows", () => {
  expect(composeFrame(["t"], ["a", "b", "c"], { columns: 9, rows: 2 })).toEqual(["b", "c"]);
  expect(composeFrame(["t1", "t2", "t3"], ["a"], { columns: 9, rows: 3 })).toEqual(["t2", "t3", "a"]);
  expect(composeFrame((height, width) => [`${height}x${width}`], ["a"], { columns: 9, rows: 3 })).toEqual([
    "2x9",
    "",
    "a",
  ]);
});

describe("a slow terminal", () => {
  test("gets one catch-up frame with the newest rows, however many were asked for", async () => {
    const releases: (() => void)[] = [];
    const { writer, sent } = setUp({ columns: 20, rows: 2 }, (log) => (data, done) => {
      log.push(data.toString());
      releases.push(() => done(null, data.length));
    });
    for (let index = 0; index < 50; index++) {
      writer.setTranscript([`frame ${index}`]);
      writer.request(true);
      await Promise.resolve();
    }
    expect([sent.length, writer.isBlocked]).toEqual([1, true]);
    releases.shift()?.();
    while (releases.length === 0) await new Promise((resolve) => setImmediate(resolve));
    releases.shift()?.();
    await writer.settle();
    expect(sent.length).toBe(2);
    expect(sent[1]).toContain("49");
  });

  test("short writes and EAGAIN lose and repeat nothing", async () => {
    let calls = 0;
    const { writer, sent } = setUp({ columns: 60, rows: 3 }, (log) => (data, done) => {
      calls++;
      if (calls % 3 === 0) {
        setImmediate(() => done(Object.assign(new Error("try again"), { code: "EAGAIN" }), 0));
        return;
      }
      const taken = Math.min(7, data.length);
      log.push(data.subarray(0, taken).toString("latin1"));
      setImmediate(() => done(null, taken));
    });
    writer.setTranscript(["0123456789".repeat(5), "中文".repeat(10)]);
    writer.request(true);
    await writer.settle();
    expect(Buffer.from(sent.join(""), "latin1").toString("utf8")).toBe(
      `\u001b[?2026h\u001b[1H${"0123456789".repeat(5)}\u001b[2H${"中文".repeat(10)}\u001b[?2026l`,
    );
  });

  test("a terminal that is gone ends the writing without an error", async () => {
    const { writer } = setUp(
      { columns: 20, rows: 2 },
      () => (_data, done) => done(Object.assign(new Error("gone"), { code: "EIO" }), 0),
    );
    writer.setTranscript(["x"]);
    writer.request(true);
    await writer.settle();
    expect(writer.isDead).toBe(true);
  });
});

test("F021 a size that changed without a signal is noticed at the next frame, which repaints all", async () => {
  const sizes: Size[] = [];
  const size = { columns: 20, rows: 3 };
  const sent: string[] = [];
  const writer = createFullWriter({
    write: (data, done) => {
      sent.push(data.toString());
      setImmediate(() => done(null, data.length));
    },
    size: () => ({ ...size }),
    onSizeChange: (next) => sizes.push(next),
  });
  writer.setTranscript((height, width) => [`${width}x${height}`]);
  writer.request(true);
  await writer.settle();
  size.columns = 30;
  size.rows = 4;
  writer.request(true);
  await writer.settle();
  expect(sizes).toEqual([{ columns: 30, rows: 4 }]);
  expect(sent[1]).toBe("\u001b[?2026h\u001b[?25l\u001b[0m\u001b[H\u001b[2J\u001b[1H30x4\u001b[?2026l");
});

test("frames keep 4 ms apart and the first one waits for nothing but the layout effects", async () => {
  const { writer, sent } = setUp({ columns: 20, rows: 2 });
  writer.setTranscript(["a"]);
  writer.request(true);
  writer.setCursor({ rowFromBottom: 0, column: 3 });
  await Promise.resolve();
  expect(sent).toEqual(["\u001b[?2026h\u001b[1Ha\u001b[2;4H\u001b[?25h\u001b[?2026l"]);
  const before = performance.now();
  writer.setTranscript(["b"]);
  writer.request(true);
  await writer.settle();
  expect(performance.now() - before).toBeGreaterThanOrEqual(3);
});

test("nothing is sent while suspended, and everything is repainted afterwards", async () => {
  const { writer, sent } = setUp({ columns: 20, rows: 2 });
  writer.setTranscript(["a"]);
  writer.suspend();
  writer.request(true);
  await writer.settle();
  expect(sent).toEqual([]);
  writer.resume();
  await writer.settle();
  expect(sent).toEqual(["\u001b[?2026h\u001b[1Ha\u001b[?2026l"]);
});
