// The input router: what bytes from a terminal become, also when they arrive in pieces.
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createInputRouter } from "../../../../components/terminal/input-router.js";

const setUp = () => {
  const events: unknown[] = [];
  let time = 1000;
  const router = createInputRouter({
    onEvent: (text) => events.push(text),
    onMouse: (event) => events.push({ mouse: event.kind, button: event.button, column: event.column, row: event.row }),
    onFocus: (isFocused) => events.push({ isFocused }),
    onReply: (text) => events.push({ reply: text }),
    now: () => time,
  });
  const wait = (milliseconds: number) => {
    time += milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };
  return { router, events, wait };
};

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("keys", () => {
  test.each([
    ["text", "abc", ["abc"]],
    ["Enter", "\r", ["\r"]],
    ["Ctrl+J", "\n", ["\n"]],
    ["Ctrl+C within text is a key of its own", "ab\u0003c", ["ab", "\u0003", "c"]],
    ["repeated backspaces", "\u007f\u007f", ["\u007f", "\u007f"]],
    ["Tab behind text", "ab\t", ["ab", "\t"]],
    ["arrow", "\u001b[A", ["\u001b[A"]],
    ["application arrow", "\u001bOA", ["\u001bOA"]],
    ["Alt+Enter", "\u001b\r", ["\u001b\r"]],
    ["Alt+b", "\u001bb", ["\u001bb"]],
    ["Shift+Enter, kitty", "\u001b[13;2u", ["\u001b[13;2u"]],
    ["Shift+Enter, modifyOtherKeys", "\u001b[27;2;13~", ["\u001b[13;2u"]],
    ["linux console F1", "\u001b[[A", ["\u001b[[A"]],
    ["kitty reply goes on to Ink", "\u001b[?1u", ["\u001b[?1u"]],
    ["mixed", "a\u001b[Bb", ["a", "\u001b[B", "b"]],
  ])("%s", (_name, bytes, expected) => {
    const { router, events, wait } = setUp();
    router.push(bytes);
    wait(100);
    expect(events).toEqual(expected);
  });

  test("a lone ESC is Escape after a moment, and unambiguous for Ink", () => {
    const { router, events, wait } = setUp();
    router.push("\u001b");
    expect(events).toEqual([]);
    wait(30);
    expect(events).toEqual(["\u001b[27u"]);
  });

  test("UTF-8 split between two chunks is one character", () => {
    const { router, events } = setUp();
    const bytes = Buffer.from("é👍");
    router.push(bytes.subarray(0, 1));
    router.push(bytes.subarray(1, 4));
    router.push(bytes.subarray(4));
    expect(events.join("")).toBe("é👍");
  });
});

describe("mouse, focus and replies never become text", () => {
  test("wheel, click and focus are taken out", () => {
    const { router, events } = setUp();
    router.push("a\u001b[<65;3;4M\u001b[<0;1;2M\u001b[<0;1;2m\u001b[I\u001b[Ob");
    expect(events).toEqual([
      "a",
      { mouse: "wheel", button: 1, column: 2, row: 3 },
      { mouse: "press", button: 0, column: 0, row: 1 },
      { mouse: "release", button: 0, column: 0, row: 1 },
      { isFocused: true },
      { isFocused: false },
      "b",
    ]);
  });

  test("a mouse report in pieces is held back, even after its ESC counted as Escape", () => {
    const { router, events, wait } = setUp();
    router.push("\u001b[<65");
    wait(40);
    router.push(";1;1M");
    expect(events).toEqual([{ mouse: "wheel", button: 1, column: 0, row: 0 }]);
    router.push("\u001b");
    wait(40);
    router.push("[<65;1;1M");
    expect(events.slice(1)).toEqual(["\u001b[27u"]);
  });

  test.each([
    ["device attributes", "\u001b[?62;4c"],
    ["mode report", "\u001b[?2026;2$y"],
    ["colour scheme", "\u001b[?997;1n"],
    ["cursor position", "\u001b[12;40R"],
    ["background colour", "\u001b]11;rgb:0000/0000/0000\u001b\\"],
    ["terminal name", "\u001bP>|xterm(370)\u001b\\"],
  ])("%s", (_name, bytes) => {
    const { router, events, wait } = setUp();
    for (const byte of bytes) router.push(byte);
    wait(1000);
    expect(events).toEqual([{ reply: bytes }]);
  });

  test("the same events come out wherever the bytes are cut", () => {
    const stream = "hi\u001b[A\u001b[<64;10;20M\u001b[200~p\u001b[A\rq\u001b[201~\u001b[I\u001b[13;2ux中";
    const whole = setUp();
    whole.router.push(Buffer.from(stream));
    const join = (events: unknown[]) => JSON.stringify(events).replaceAll('","', "");
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(stream)), { maxLength: 8 }), (cuts) => {
        const bytes = Buffer.from(stream);
        const { router, events } = setUp();
        const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
        for (const [index, start] of places.entries()) router.push(bytes.subarray(start, places[index + 1]));
        expect(join(events)).toBe(join(whole.events));
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe("pastes", () => {
  test("F025 a marked paste of 10,000 lines in 1 KB pieces arrives whole, whatever it contains", () => {
    const { router, events } = setUp();
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} with some [201~ text and ESC codes\r`);
    const content = `${lines.join("")}\u001b[31m\u0003`;
    const bytes = `\u001b[200~${content}\u001b[201~`;
    // One write ends between "ESC [ 2 0" and "1 ~".
    const cut = bytes.length - 2;
    for (let index = 0; index < cut; index += 1024) router.push(bytes.slice(index, Math.min(cut, index + 1024)));
    router.push(bytes.slice(cut));
    router.push("x");
    expect(events.length).toBe(2);
    expect(events[0] === bytes).toBe(true);
    expect(events[1]).toBe("x");
  });

  test("F023 several lines in one write without marks are a paste", () => {
    const { router, events, wait } = setUp();
    router.push("one\rtwo");
    wait(100);
    expect(events).toEqual(["\u001b[200~one\rtwo\u001b[201~"]);
  });

  test("F023 so are 15 lines in 64-byte writes 2 ms apart: nothing is submitted", () => {
    const { router, events, wait } = setUp();
    const text = Array.from({ length: 15 }, (_, index) => `line ${index} of a paste without marks\r`).join("");
    for (let index = 0; index < text.length; index += 64) {
      router.push(text.slice(index, index + 64));
      wait(2);
    }
    wait(100);
    expect(events).not.toContain("\r");
    expect(events.join("").replaceAll(/\u001b\[20[01]~/g, "")).toBe(text);
  });

  test("F023 an Enter that ends a write still submits, and a lone one later does too", () => {
    const { router, events, wait } = setUp();
    router.push("abc\r");
    wait(30);
    wait(60);
    router.push("\r");
    expect(events).toEqual(["abc", "\r", "\r"]);
  });

  test("a paste whose end never comes is left with Ctrl+C", () => {
    const { router, events, wait } = setUp();
    router.push("\u001b[200~abc");
    wait(1000);
    router.push("\u0003");
    router.push("x");
    expect(events).toEqual(["\u0003", "x"]);
  });
});
