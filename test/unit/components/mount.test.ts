// The whole screen on a file instead of a terminal, read back through a terminal emulator.
import { EventEmitter } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { afterEach, expect, test } from "vitest";
import { type MountedApp, type MountOptions, mountApp } from "../../../components/mount.js";
import type { Engine } from "../../../src/protocol/engine.js";
import { createFakeEngine, outcomeFor } from "./support/fake-engine.js";
import { bashQuestion } from "./support/samples.js";

class Keyboard extends EventEmitter {
  readonly isTTY = true;
  setRawMode(): void {}
  ref(): void {}
  unref(): void {}
  resume(): void {}
  pause(): void {}
}

const folder = mkdtempSync(join(tmpdir(), "mount-"));
let app: MountedApp | undefined;
let fd = -1;
afterEach(async () => {
  app?.store.setState({ exit: { code: 0 } });
  await app?.waitUntilExit();
  app = undefined;
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

const start = (options: Partial<MountOptions> & { engine: Promise<Engine> }) => {
  const path = join(mkdtempSync(join(tmpdir(), "mount-")), "bytes");
  fd = openSync(path, "w");
  const keyboard = new Keyboard();
  const stdout = { fd, columns: 80, rows: 24 };
  app = mountApp({
    stdin: keyboard as unknown as MountOptions["stdin"],
    stdout,
    env: { TERM: "xterm-256color" },
    version: "3.0.0",
    cwd: "/home/ada/shop",
    settings: { quietMs: 0 },
    ...options,
  });
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  let read = 0;
  const bytes = (): string => readFileSync(path, "utf8");
  const screen = async (): Promise<string> => {
    const fresh = bytes().slice(read);
    read += fresh.length;
    await new Promise<void>((resolve) => terminal.write(fresh, resolve));
    const { active } = terminal.buffer;
    return Array.from({ length: 24 }, (_, row) => active.getLine(row)?.translateToString(true) ?? "").join("\n");
  };
  /** Resolves with the screen as soon as it holds `text`. */
  const until = async (text: string): Promise<string> => {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const shown = await screen();
      if (shown.includes(text)) return shown;
      if (Date.now() > deadline) throw new Error(`never saw ${text}:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { app, until, screen, bytes, terminal, type: (keys: string) => keyboard.emit("data", Buffer.from(keys)) };
};

test("the first frame shows banner and prompt before the engine is there, and typed keys are kept", async () => {
  const engine = createFakeEngine();
  let load: (engine: Engine) => void = () => undefined;
  const { until, type } = start({
    engine: new Promise((resolve) => {
      load = resolve;
    }),
  });
  const first = await until("❯");
  expect(first).toContain("claude 3.0.0");
  expect(first).toContain("/home/ada/shop");
  expect(engine.requests).toEqual([]);
  type("early");
  await until("❯ early");
  load(engine);
  await until("sonnet");
  type("\r");
  await until("Type a request");
  expect(engine.requests.map((request) => request.type)).toEqual(["open", "prompt"]);
});

test("a first prompt from the command line is sent after opening", async () => {
  const engine = createFakeEngine();
  const { until } = start({ engine: Promise.resolve(engine), initialPrompt: "do it" });
  await until("sonnet");
  expect(engine.requests.at(-1)).toMatchObject({ type: "prompt", text: "do it" });
  engine.running().end(outcomeFor());
});

test("a conversation, a question and the answer by key", async () => {
  const engine = createFakeEngine();
  const { until, type, screen } = start({ engine: Promise.resolve(engine) });
  await until("sonnet");
  type("push it");
  await until("❯ push it");
  type("\r");
  await until("Type a request");
  const run = engine.running();
  run.push(
    { type: "run_start", runId: "r1" },
    {
      type: "user_message",
      uuid: "u1",
      content: "push it",
      shown: "push it",
      isMeta: false,
      timestamp: "2026-01-01T00:00:00Z",
    },
    { type: "text", messageId: "m1", index: 0, delta: "I will push." },
    { type: "question", question: bashQuestion() },
  );
  expect(await until("Run this command?")).toContain("I will push.");
  type("1");
  await until("Type a request");
  expect(engine.answers.map(({ id }) => id)).toEqual(["q1"]);
  run.push({ type: "run_end", outcome: outcomeFor() });
  run.end(outcomeFor());
  await until("asks before changes");
  expect(await screen()).not.toContain("Run this command?");
});

test("F019 a drag selects, shows what is selected and copies it; the hint names the ways out", async () => {
  const engine = createFakeEngine();
  const copied: string[] = [];
  const { until, type, bytes } = start({
    engine: Promise.resolve(engine),
    copyText: (text) => void copied.push(text),
  });
  await until("sonnet");
  type("\u001b[<0;3;1M");
  type("\u001b[<32;8;1M");
  type("\u001b[<0;8;1m");
  const screen = await until("Copied 6 characters");
  expect(screen).toMatch(/shift\+drag \(option in iTerm2\) or \/mouse/);
  expect(bytes()).toContain(`\u001b]52;c;${Buffer.from("claude").toString("base64")}\u0007`);
  expect(copied).toEqual(["claude"]);
});

test("a click on an option answers, as its number would", async () => {
  const engine = createFakeEngine();
  const { until, type } = start({ engine: Promise.resolve(engine) });
  await until("sonnet");
  engine.emit({ type: "question", question: bashQuestion() });
  const screen = await until("No, and say");
  const row = screen.split("\n").findIndex((line) => line.includes("No, and say")) + 1;
  type(`\u001b[<0;12;${row}M`);
  type(`\u001b[<0;12;${row}m`);
  await until("Type a request");
  expect(engine.answers).toEqual([{ id: "q1", answer: { kind: "permission", outcome: "deny", interrupt: true } }]);
});

test("the terminal is asked for its background, and a light one gets light colours", async () => {
  const engine = createFakeEngine();
  const { until, type, bytes } = start({
    engine: Promise.resolve(engine),
    env: { TERM: "xterm", COLORTERM: "truecolor" },
  });
  await until("sonnet");
  expect(bytes()).toContain("\u001b]11;?\u001b\\");
  type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\");
  engine.emit({ type: "text", messageId: "m1", index: 0, delta: "See `main.ts` there." });
  await until("main.ts");
  expect(bytes()).toContain("38;2;42;79;168");
});

test("leaving restores the terminal and gives the exit code", async () => {
  const engine = createFakeEngine();
  const { app: mounted, until, bytes } = start({ engine: Promise.resolve(engine) });
  await until("sonnet");
  engine.emit({ type: "exit", code: 3 });
  expect(await mounted.waitUntilExit()).toBe(3);
  const tail = bytes().slice(-200);
  expect(tail).toContain("\u001b[?1049l");
  expect(tail).toContain("\u001b[?25h");
});

test("an engine that does not start leaves with exit code 1", async () => {
  const { app: mounted } = start({ engine: Promise.reject(new Error("")) });
  expect(await mounted.waitUntilExit()).toBe(1);
});
