import { expect, test } from "vitest";
import { createLineFeed } from "../../../src/tasks/line-feed.js";

/** A feed with a clock that is moved by hand. */
const kit = () => {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const sent: [number, string][] = [];
  const feed = createLineFeed({
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    send: (lines) => sent.push([now, lines]),
  });
  const move = (ms: number) => {
    const end = now + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      timers = timers.filter((timer) => timer !== next);
      now = next.at;
      next.run();
    }
    now = end;
  };
  return { sent, move, say: (text: string) => feed.add(Buffer.from(text)), end: feed.end, timers: () => timers.length };
};

test("lines that come together are one message, soon", () => {
  const { sent, move, say } = kit();
  say("one\ntw");
  say("o\r\n\n");
  move(1_000);
  expect(sent).toEqual([[200, "one\ntwo"]]);
});

test("half a line waits for its rest, or for the end", () => {
  const { sent, move, say, end } = kit();
  say("half");
  move(10_000);
  expect(sent).toEqual([]);
  end();
  expect(sent).toEqual([[10_000, "half"]]);
});

test("a character that comes in two pieces stays whole", () => {
  const feedBytes = Buffer.from("ü\n");
  const sentLines: string[] = [];
  const feed = createLineFeed({ now: () => 0, after: () => () => undefined, send: (lines) => sentLines.push(lines) });
  feed.add(feedBytes.subarray(0, 1));
  feed.add(feedBytes.subarray(1));
  feed.end();
  expect(sentLines).toEqual(["ü"]);
});

test("a chatty command is told more and more seldom, and what is left out is counted", () => {
  const { sent, move, say } = kit();
  for (let second = 0; second < 300; second += 1) {
    for (let n = 0; n < 100; n += 1) say(`line ${second}.${n}\n`);
    move(1_000);
  }
  expect(sent.length).toBeLessThan(25);
  for (const [, text] of sent) expect(text.split("\n").length).toBeLessThanOrEqual(81);
  expect(sent.at(-1)?.[1]).toMatch(/^line .*\n(?:.*\n)*\[… \d{4} lines left out …\]\n/);
  const gaps = sent.slice(1).map(([at], index) => at - (sent[index]?.[0] ?? 0));
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(29_000);
});

test("after a pause it is told soon again", () => {
  const { sent, move, say } = kit();
  for (let n = 0; n < 40; n += 1) {
    say("x\n");
    move(500);
  }
  move(120_000);
  const before = sent.length;
  say("late\n");
  move(200);
  expect(sent.slice(before).map(([, text]) => text)).toEqual(["late"]);
});

test("no timer runs while nothing waits", () => {
  const { move, say, timers } = kit();
  say("x\n");
  move(200);
  expect(timers()).toBe(0);
});

test("very long lines are cut", () => {
  const { sent, say, end } = kit();
  say(`${"y".repeat(50_000)}\n`);
  end();
  expect(sent[0]?.[1]).toHaveLength(501);
});
