import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readPrompts } from "../../../src/sessions/prompt-history.js";
import { bundleProgram } from "../../helpers/bundle-program.js";
import { tempDir } from "../../helpers/transcript-kit.js";

/** Waits for a line on stdin, so that all start together; then does what its first argument says. */
const program = `
  import { readSync, writeSync } from "node:fs";
  import { lockSession } from "./src/sessions/lock.js";
  import { appendPrompt } from "./src/sessions/prompt-history.js";
  const [, , job, path, name] = process.argv;
  writeSync(1, "ready\\n");
  readSync(0, Buffer.alloc(1), 0, 1, null);
  if (job === "lock") writeSync(1, lockSession(path, "s").kind + "\\n");
  else for (let index = 0; index < 20; index += 1)
    appendPrompt(path, { display: name + index + ":" + "x".repeat(50_000), project: "/p", timestamp: 0 });
  readSync(0, Buffer.alloc(1), 0, 1, null);
`;
let bundle: string;
beforeAll(async () => {
  bundle = await bundleProgram(program);
});

interface Racer {
  said: string;
  /** Resolves once `said` passes the check, or the process has ended. */
  until(check: (said: string) => boolean): Promise<void>;
  child: ChildProcessWithoutNullStreams;
  closed: Promise<unknown>;
}

const startRacer = (args: string[]): Racer => {
  const child = spawn(process.execPath, [bundle, ...args]);
  const closed = new Promise((resolve) => child.once("close", resolve));
  let look = () => {};
  const racer: Racer = {
    said: "",
    child,
    closed,
    until: (check) =>
      new Promise<void>((resolve) => {
        look = () => check(racer.said) && resolve();
        void closed.then(() => resolve());
        look();
      }),
  };
  child.stdout.on("data", (chunk: Buffer) => {
    racer.said += chunk;
    look();
  });
  return racer;
};

/** Starts `count` processes, lets them go at once, ends them when all are done; returns what each said. */
const race = async (count: number, args: string[], isDone: (said: string) => boolean): Promise<string[]> => {
  const racers = Array.from({ length: count }, (_, index) => startRacer([...args, `p${index}-`]));
  await Promise.all(racers.map(({ until }) => until((said) => said.includes("ready"))));
  for (const { child } of racers) child.stdin.write("g");
  await Promise.all(racers.map(({ until }) => until(isDone)));
  for (const { child } of racers) child.stdin.end();
  await Promise.all(racers.map(({ closed }) => closed));
  return racers.map(({ said }) => said);
};

test("of several openers racing for a stale lock, one gets it", async () => {
  const folder = tempDir();
  const dead = { pid: 2 ** 22 + 1, token: "dead", startTime: "1", host: hostname() };
  writeFileSync(join(folder, "s.lock"), JSON.stringify(dead));
  const said = await race(5, ["lock", folder], (text) => /locked|held/.test(text));
  expect(said.map((text) => text.replaceAll(/ready\s*/g, "").trim()).sort()).toEqual([
    "held",
    "held",
    "held",
    "held",
    "locked",
  ]);
});

test("F064 several processes adding to the prompt history lose and tear nothing", async () => {
  const file = join(tempDir(), "history.jsonl");
  await race(4, ["history", file], () => true);
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const names = lines.map((line) => JSON.parse(line).display.split(":")[0]);
  const expected = [0, 1, 2, 3].flatMap((child) => Array.from({ length: 20 }, (_, index) => `p${child}-${index}`));
  expect(names.sort()).toEqual(expected.sort());
  // Of a file this big only the newest part is read.
  expect(readPrompts(file, "/p").length).toBeGreaterThan(70);
});
