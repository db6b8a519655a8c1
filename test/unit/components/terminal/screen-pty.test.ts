// The screen in a real pty: on every way out the terminal is as it was, and a lost resize heals.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "./emulator.js";

interface App {
  pty: IPty;
  emulator: Emulator;
  bytes: () => string;
  until: (isTrue: () => boolean) => Promise<void>;
  exit: Promise<{ exitCode: number; signal?: number | undefined }>;
}

// Bundled once: loading Ink and TypeScript anew in each of these processes would take most of their time.
const directory = mkdtempSync(join(tmpdir(), "screen-pty-"));
const program = join(directory, "app.mjs");
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("./fixture-app.tsx", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [
      {
        name: "no-devtools",
        setup: (builder) => builder.onLoad({ filter: /ink\/build\/devtools\.js$/ }, () => ({ contents: "" })),
      },
    ],
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const open: IPty[] = [];
afterEach(() => {
  for (const pty of open.splice(0)) pty.kill("SIGKILL");
});

const start = async (columns = 40, rows = 8): Promise<App> => {
  const { CI: _ci, ...env } = process.env as Record<string, string>;
  const pty = spawn(process.execPath, [program], {
    cols: columns,
    rows,
    env: { ...env, TERM: "xterm-256color", NODE_NO_WARNINGS: "1" },
  });
  open.push(pty);
  const emulator = createEmulator(columns, rows);
  await emulator.write("$ shell history\r\n");
  let bytes = "";
  let written = Promise.resolve();
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    bytes += data;
    written = written
      .then(() => emulator.write(data))
      .then(() => {
        for (const check of [...waiting]) check();
      });
  });
  const exit = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) =>
    pty.onExit((event) => void written.then(() => resolve(event))),
  );
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isTrue()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const app = { pty, emulator, bytes: () => bytes, until, exit };
  await until(() => emulator.screen().at(-1) === ">" && bytes.includes("\u001b[>1u"));
  return app;
};

/** The kernel tells nobody but the parent when a process has stopped: ask it. */
const untilStopped = async (pid: number): Promise<void> => {
  while (!/^\d+ \(.*\) T/.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
    await new Promise((resolve) => setTimeout(resolve, 5));
};

/** What a shell would find changed. */
const leftovers = ({ emulator, bytes }: App): string[] => {
  const found: string[] = [];
  const all = bytes();
  for (const mode of [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026]) {
    const last = [...all.matchAll(new RegExp(`\\u001b\\[\\?${mode}([hl])`, "g"))].at(-1)?.[1];
    if (last === "h") found.push(`mode ${mode} on`);
  }
  const pushes = all.match(/\u001b\[>[0-9]*u/g)?.length ?? 0;
  const pops = all.match(/\u001b\[<[0-9]*u/g)?.length ?? 0;
  if (pushes === 0 || pushes !== pops) found.push(`kitty ${pushes} pushes, ${pops} pops`);
  if ([...all.matchAll(/\u001b\[\?25([hl])/g)].at(-1)?.[1] !== "h") found.push("cursor hidden");
  if ([...all.matchAll(/\u001b\[\?7([hl])/g)].at(-1)?.[1] !== "h") found.push("autowrap off");
  if (emulator.terminal.buffer.active.type !== "normal") found.push("alternate screen");
  const first = emulator.terminal.buffer.normal.getLine(0)?.translateToString(true);
  if (first !== "$ shell history") found.push("history gone");
  if (/\u001b\[3J/.test(all)) found.push("scrollback cleared");
  return found;
};

describe("F027 the terminal is restored", () => {
  test("on an orderly exit; what was printed meanwhile went to the log", async () => {
    const app = await start();
    app.pty.write("l");
    await app.until(() => app.emulator.screen().at(-1) === "> printed");
    app.pty.write("q");
    expect((await app.exit).exitCode).toBe(0);
    expect(leftovers(app)).toEqual([]);
    expect(app.bytes()).toContain("logged 1");
    expect(app.bytes()).not.toContain("must not be seen");
  });

  test.each([
    ["process.exit", "e", 3, ""],
    ["an uncaught exception", "t", 1, "thrown on purpose"],
    ["an unhandled rejection", "r", 1, "rejected on purpose"],
  ])("on %s", async (_name, key, exitCode, text) => {
    const app = await start();
    app.pty.write(key);
    expect((await app.exit).exitCode).toBe(exitCode);
    expect(leftovers(app)).toEqual([]);
    expect(app.bytes().slice(app.bytes().lastIndexOf("\u001b[?1049l"))).toContain(text);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("on %s", async (signal, exitCode) => {
    const app = await start();
    process.kill(app.pty.pid, signal);
    expect((await app.exit).exitCode).toBe(exitCode);
    expect(leftovers(app)).toEqual([]);
  });

  test("while stopped by Ctrl+Z; afterwards the picture is back", async () => {
    const app = await start();
    app.pty.write("\u001a");
    await app.until(() => app.emulator.terminal.buffer.active.type === "normal");
    expect(leftovers(app)).toEqual([]);
    await untilStopped(app.pty.pid);
    process.kill(app.pty.pid, "SIGCONT");
    await app.until(() => app.emulator.screen().at(-1) === ">");
    app.pty.write("a");
    await app.until(() => app.emulator.screen().at(-1) === "> a");
    app.pty.write("q");
    await app.exit;
    expect(leftovers(app)).toEqual([]);
  });

  test("while another program has it, and at the end", async () => {
    const app = await start();
    app.pty.write("s");
    await app.until(() => app.emulator.terminal.buffer.active.type === "normal");
    await app.until(() => app.emulator.screen().at(-1) === ">");
    app.pty.write("q");
    await app.exit;
    expect(leftovers(app)).toEqual([]);
  });
});

test("F021 a resize while stopped is noticed; the next frame is right", async () => {
  const app = await start(40, 8);
  process.kill(app.pty.pid, "SIGSTOP");
  await untilStopped(app.pty.pid);
  app.emulator.terminal.resize(50, 10);
  app.pty.resize(50, 10);
  process.kill(app.pty.pid, "SIGCONT");
  await app.until(() => app.emulator.screen()[0] === "row 0 of 8 at 50");
  await app.until(() => app.emulator.screen()[8] === "─".repeat(50) && app.emulator.screen()[9] === ">");
});

test("a stop without warning (SIGSTOP) is survived with the keyboard raw and the modes balanced", async () => {
  const app = await start(40, 8);
  process.kill(app.pty.pid, "SIGSTOP");
  await untilStopped(app.pty.pid);
  const before = app.bytes().length;
  process.kill(app.pty.pid, "SIGCONT");
  await app.until(() => app.bytes().length > before && app.emulator.screen().at(-1) === ">");
  app.pty.write("ab");
  await app.until(() => app.emulator.screen().at(-1) === "> ab");
  app.pty.write("q");
  await app.exit;
  expect(leftovers(app)).toEqual([]);
});

test("F005 a storm of resizes ends in the picture of a fresh start at that size", async () => {
  const app = await start(40, 8);
  for (let step = 0; step < 30; step++) {
    const columns = step < 15 ? 40 - step : 25 + (step - 14);
    app.emulator.terminal.resize(columns, 8);
    app.pty.resize(columns, 8);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await app.until(() => app.emulator.screen().every((row, index) => index > 5 || row === `row ${index} of 6 at 40`));
  await app.until(() => app.emulator.screen()[6] === "─".repeat(40));
  app.pty.write("q");
  await app.exit;
  expect(leftovers(app)).toEqual([]);
});

test("a terminal that stops reading does not stop the program, and catches up with one frame", async () => {
  const app = await start(200, 50);
  app.pty.write("b");
  await app.until(() => /^\d+$/.test(app.emulator.screen()[0] ?? ""));
  app.pty.pause();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  app.pty.resume();
  await app.until(() => /^> longest \d+/.test(app.emulator.screen().at(-1) ?? ""));
  const longest = Number(/longest (\d+)/.exec(app.emulator.screen().at(-1) ?? "")?.[1]);
  // Far below the two seconds of the stall, also on a busy machine.
  expect(longest).toBeLessThan(700);
  app.pty.write("q");
  await app.exit;
  expect(leftovers(app)).toEqual([]);
});

test("F009 the hardware cursor stands at the caret", async () => {
  const app = await start(40, 8);
  app.pty.write("a");
  await app.until(() => app.emulator.screen().at(-1) === "> a");
  await app.until(() => app.emulator.cursor().row === 7 && app.emulator.cursor().column === 2);
});
