// On every way out the terminal is as it was before: modes, keyboard protocol, cursor, colours (F027).
import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import { isAlive, pidIn } from "../helpers/processes.js";
import type { Pty } from "../helpers/pty.js";
import { launcher } from "../helpers/workspace.js";

const modes = [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026];

/** Everything that is not as a program should leave it; empty when all is well. */
const leftovers = (pty: Pty): string[] => {
  const count = (pattern: RegExp) => pty.bytes.match(pattern)?.length ?? 0;
  const [pushes, pops] = [count(/\x1b\[>\d*u/g), count(/\x1b\[<\d*u/g)];
  const lastColour = [...pty.bytes.matchAll(/\x1b\[([\d;]*)m/g)].at(-1)?.[1];
  return [
    ...modes.filter((mode) => pty.modeIsSet(mode)).map((mode) => `mode ${mode} is on`),
    ...(pushes === pops ? [] : [`keyboard protocol: ${pushes} pushed, ${pops} popped`]),
    ...(pty.cursor().isVisible ? [] : ["the cursor is hidden"]),
    ...(lastColour === undefined || /^0?$/.test(lastColour) ? [] : [`colours stay at ${lastColour}`]),
    ...(pty.bytes.includes("\x1b[3J") ? ["the scrollback was wiped (F015)"] : []),
  ];
};

const start = async (options: { kitty?: boolean } = {}) => {
  const server = await createModelServer({ answers: [{ say: "Hello." }] });
  const pty = createWorkspace({ server }).startCli([], { ...options, timeoutMs: 20_000 });
  await pty.waitFor("Type a request");
  pty.type("hello");
  await pty.waitFor("❯ hello");
  await pty.settle();
  pty.press("enter");
  await pty.waitFor("● Hello.");
  await pty.settle();
  return pty;
};

const type = async (pty: Pty, text: string) => {
  pty.type(text);
  await pty.waitFor(text);
  await pty.settle();
  pty.press("enter");
};

describe("F027 the terminal is restored", () => {
  test.each([{ kitty: false }, { kitty: true }])("after /exit, with %o", async (options) => {
    const pty = await start(options);
    expect(pty.modeIsSet(1049)).toBe(true);
    await type(pty, "/exit");
    expect(await pty.exit).toEqual({ code: 0, signal: undefined });
    expect(leftovers(pty)).toEqual([]);
  });

  test("after Ctrl+C twice", async () => {
    const pty = await start({ kitty: true });
    pty.press("ctrl-c");
    await pty.waitFor("ctrl+c again leaves");
    pty.press("ctrl-c");
    expect(await pty.exit).toEqual({ code: 0, signal: undefined });
    expect(leftovers(pty)).toEqual([]);
  });

  // It ends by the signal itself, so that a shell reports 128 + its number.
  test.each(["SIGTERM", "SIGHUP"] as const)("after %s", async (signal) => {
    const pty = await start({ kitty: true });
    pty.kill(signal);
    expect(await pty.exit).toEqual({ code: 128 + constants.signals[signal], signal: undefined });
    expect(leftovers(pty)).toEqual([]);
  });

  test("while suspended with Ctrl+Z, and everything is back after fg", async () => {
    const server = await createModelServer({ answers: [{ say: "Hello." }, { say: "Back again." }] });
    const workspace = createWorkspace({ server });
    const pty = workspace.startPty("/bin/bash", ["--norc", "--noprofile", "-i"], {
      env: { PS1: "shell> " },
      timeoutMs: 20_000,
    });
    await pty.waitFor("shell>");
    pty.type(`${launcher}\r`);
    await pty.waitFor("Type a request");
    await type(pty, "hello");
    await pty.waitFor("● Hello.");
    await pty.settle();
    pty.press("ctrl-z");
    await pty.waitFor("Stopped");
    // bash itself asks for bracketed pastes at its prompt.
    expect(leftovers(pty).filter((line) => line !== "mode 2004 is on")).toEqual([]);
    pty.type("fg\r");
    await pty.waitFor("Type a request");
    expect([pty.modeIsSet(1049), pty.modeIsSet(2004)]).toEqual([true, true]);
    await type(pty, "again");
    await pty.waitFor("Back again.");
    await type(pty, "/exit");
    await pty.waitUntil(() => !pty.modeIsSet(1049), "the end of the program");
    await pty.waitFor("shell>");
    expect(leftovers(pty).filter((line) => line !== "mode 2004 is on")).toEqual([]);
  });
});

describe("F174 a closed window", () => {
  test("ends the program within 2 s and the running command soon after", async () => {
    const server = await createModelServer({
      answers: [{ calls: [{ Bash: { command: "echo $$ > begun; sleep 300" } }] }],
    });
    const workspace = createWorkspace({ server });
    const pty = workspace.startCli(["--yolo"], { timeoutMs: 20_000 });
    await pty.waitFor("Type a request");
    await type(pty, "sleep");
    const shell = await pidIn(workspace, "begun");
    const started = performance.now();
    pty.kill("SIGHUP");
    expect(await pty.exit).toEqual({ code: 129, signal: undefined });
    expect(performance.now() - started).toBeLessThan(2_000);
    while (isAlive(shell)) {
      expect(performance.now() - started).toBeLessThan(4_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
