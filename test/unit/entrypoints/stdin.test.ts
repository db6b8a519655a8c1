import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { joinPrompt, maxStdinBytes, readPipedStdin } from "../../../src/entrypoints/stdin.js";
import type { Clock } from "../../../src/platform/clock.js";

/** A clock whose one sleep ends when the test says so. */
const handClock = () => {
  let ring = () => {};
  const clock: Clock = {
    now: () => 0,
    sleep: () =>
      new Promise((resolve) => {
        ring = resolve;
      }),
  };
  return { clock, ring: () => ring() };
};

const read = (stdin: Readable, hasPrompt: boolean, clock?: Clock) => {
  const warnings: string[] = [];
  return { warnings, done: readPipedStdin({ stdin, hasPrompt, warn: (text) => warnings.push(text), clock }) };
};

test("everything up to the end is read, characters cut between chunks too", async () => {
  const bytes = Buffer.from("Grüße");
  const { done } = read(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]), true);
  expect(await done).toEqual({ kind: "text", text: "Grüße" });
  expect(await read(Readable.from([]), true).done).toEqual({ kind: "text", text: "" });
});

test("a terminal is not read", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect(await read(terminal, false).done).toEqual({ kind: "text", text: "" });
});

test("F172 a pipe that stays silent is given up with a word, when there is a prompt", async () => {
  const { clock, ring } = handClock();
  const { done, warnings } = read(new PassThrough(), true, clock);
  ring();
  expect(await done).toEqual({ kind: "text", text: "" });
  expect(warnings).toEqual(["Nothing on stdin for 3 s; going on without it (< /dev/null avoids the wait)"]);
});

test("F172 without a prompt it goes on waiting, and says so", async () => {
  const { clock, ring } = handClock();
  const stdin = new PassThrough();
  const { done, warnings } = read(stdin, false, clock);
  ring();
  await new Promise((resolve) => setImmediate(resolve));
  stdin.end("late");
  expect(await done).toEqual({ kind: "text", text: "late" });
  expect(warnings).toEqual(["Nothing on stdin for 3 s; still waiting for the prompt"]);
});

test("once data flows there is no hurry", async () => {
  const { clock, ring } = handClock();
  const stdin = new PassThrough();
  const { done, warnings } = read(stdin, true, clock);
  stdin.write("a");
  await new Promise((resolve) => setImmediate(resolve));
  ring();
  stdin.end("b");
  expect(await done).toEqual({ kind: "text", text: "ab" });
  expect(warnings).toEqual([]);
});

test("more than 10 MB is refused, exactly 10 MB is not", async () => {
  const whole = await read(Readable.from([Buffer.alloc(maxStdinBytes, 97)]), true).done;
  expect(whole.kind === "text" && whole.text.length).toBe(maxStdinBytes);
  expect(await read(Readable.from([Buffer.alloc(maxStdinBytes), Buffer.alloc(1)]), true).done).toEqual({
    kind: "error",
    message: "error: more than 10 MB on stdin; put it in a file and name the file",
  });
});

test("the piped text stands under the prompt", () => {
  expect(joinPrompt("sum", "1\n2\n")).toBe("sum\n1\n2\n");
  expect(joinPrompt(undefined, "piped")).toBe("piped");
  expect(joinPrompt("only", "\n")).toBe("only");
  expect(joinPrompt(" ", "")).toBeUndefined();
});
