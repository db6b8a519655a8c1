// The sanitiser: what may print stays, and nothing else reaches a terminal (checked with an emulator as the judge).
import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandTabs, sanitise } from "../../../src/lib/sanitise.js";

const pieces = [
  ..."ab1;?[]()#%<>=mHJKhlcnpqtu\\",
  "\u001b",
  "\u001b[",
  "\u001b]",
  "\u001bP",
  "\u001b_",
  "\u001b^",
  "\u001bX",
  "\u001b\\",
  "\u009b",
  "\u009d",
  "\u0090",
  "\u009c",
  "\u0007",
  "\u0018",
  "\r",
  "\n",
  "\t",
  "\b",
  "\u000e",
  "\u000c",
  "\u007f",
  "\u0085",
  "\u202e",
  "\u200b",
  "\u0301",
  "中",
  "38;2;",
  "8",
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join("")),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
);
const printable = /^(?:[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\u001b\[[0-9;:]*m)*$/;

test("F007 no byte sequence can move the cursor, change a mode, set the title or query the terminal", async () => {
  const terminal = new Terminal({ cols: 200, rows: 10, allowProposedApi: true });
  const events: string[] = [];
  terminal.onData((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push("bell"));
  const modes = JSON.stringify(terminal.modes);
  await fc.assert(
    fc.asyncProperty(hostile, fc.boolean(), async (text, keepColour) => {
      const safe = sanitise(text, { keepColour });
      expect(safe).toMatch(printable);
      if (!keepColour) expect(safe).not.toContain("\u001b");
      const line = safe.replaceAll("\n", " ").slice(0, 150);
      await new Promise<void>((resolve) => terminal.write(`\u001b[0m\u001b[3;1H${line}`, resolve));
      expect([terminal.buffer.active.cursorY, terminal.buffer.active.type]).toEqual([2, "normal"]);
      expect([JSON.stringify(terminal.modes), events]).toEqual([modes, []]);
    }),
    { seed: 7, numRuns: 600 },
  );
});

test("F007 the case's own bytes: colour may stay, the layout is untouched", () => {
  const bytes =
    "a\u001b[2J\u001b[H\u001b[?1049h\u001b[31mred\u001b[0m\u001b[9A\u001b]0;title\u0007\u001b[?1003h\u001b[6nb\n";
  expect(sanitise(bytes)).toBe("aredb\n");
  expect(sanitise(bytes, { keepColour: true })).toBe("a\u001b[31mred\u001b[0mb\n");
});

test("sanitising twice changes nothing more", () => {
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, keepColour) => {
      const once = sanitise(text, { keepColour });
      expect(sanitise(once, { keepColour })).toBe(once);
    }),
    { seed: 8, numRuns: 400 },
  );
});

describe("escape sequences of every kind", () => {
  test.each([
    ["unterminated CSI", "a\u001b[31", "a"],
    ["broken CSI", "a\u001b[3\nb", "a\nb"],
    ["eight-bit CSI", "a\u009b2Jb", "ab"],
    ["OSC ended by ST", "a\u001b]52;c;Zm9v\u001b\\b", "ab"],
    ["eight-bit OSC", "a\u009d0;x\u009cb", "ab"],
    ["hyperlink", "\u001b]8;;http://e.vil\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["unterminated OSC hides nothing", "a\u001b]0;b\nc", "a0;b\nc"],
    ["DCS", "a\u001bP1$r0m\u001b\\b", "ab"],
    ["charset", "a\u001b(0b", "ab"],
    ["reset", "a\u001bcb", "ab"],
    ["ESC at the end", "a\u001b", "a"],
    ["bell, backspace, shift out", "a\u0007\b\u000eb", "ab"],
  ])("%s", (_name, text, expected) => expect(sanitise(text)).toBe(expected));

  test("concealed, blinking and private styles are dropped, colours kept whole", () => {
    const text = "\u001b[1;8;5;38;2;1;2;3mx\u001b[>4;1my\u001b[38;2;1mz\u001b[mq";
    expect(sanitise(text, { keepColour: true })).toBe("\u001b[1;38;2;1;2;3mxyz\u001b[mq");
  });
});

describe("characters that deceive", () => {
  test("F013 right-to-left text stays in logical order, reordering controls become visible", () => {
    expect(sanitise("مرحبا main.ts سطر 12.")).toBe("مرحبا main.ts سطر 12.");
    expect(sanitise("if (a\u202e) {\u2066")).toBe("if (a<U+202E>) {<U+2066>");
  });

  test("zero-width characters and hidden tags go, joiners and flags stay", () => {
    expect(sanitise("a\u200bb\u00adc\ufeff\u{e0041}")).toBe("abc");
    expect(sanitise("a\u{e0041}")).toBe("a");
    expect(sanitise("👨‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿")).toBe("👨‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿");
  });

  test("a flood of combining marks is cut", () => {
    expect(sanitise(`a${"\u0301".repeat(5000)}`)).toBe(`a${"\u0301".repeat(12)}`);
  });

  test("a lone surrogate is replaced", () => expect(sanitise("a\ud800b")).toBe("a\ufffdb"));
});

describe("carriage returns and tabs", () => {
  test("a lone CR cannot hide what stands before it", () => {
    expect(sanitise("rm -rf /\rls")).toBe("rm -rf /\nls");
    expect(sanitise("a\r\nb")).toBe("a\nb");
  });

  test("progress bars collapse to their last state where asked for", () => {
    expect(sanitise("10 %\r55 %\r100 %\r\ndone", { carriageReturn: "overwrite" })).toBe("100 %\ndone");
  });

  test("tabs reach the next stop by cells, also after wide and styled text", () => {
    expect(sanitise("a\tb")).toBe("a       b");
    expect(expandTabs("中\tb", 4)).toBe("中  b");
    expect(expandTabs("\u001b[31ma\u001b[0m\tb", 4)).toBe("\u001b[31ma\u001b[0m   b");
    expect(sanitise("a\tb", { tabSize: 0 })).toBe("a\tb");
  });
});
