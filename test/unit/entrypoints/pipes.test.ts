import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundleProgram } from "../../helpers/bundle-program.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const answerBytes = 2 * 1024 * 1024;

/** Prints an answer of 2 MB in the format of its first argument, after 400 lines of notices. */
const source = `
  import { runPrint } from "./src/entrypoints/print.js";
  import { readPipedStdin } from "./src/entrypoints/stdin.js";
  import { fakeSession } from "./test/helpers/fake-command-context.js";
  import { fakeEngine, outcomeOf } from "./test/helpers/fake-engine.js";
  const warn = (text) => process.stderr.write(text + "\\n");
  const piped = await readPipedStdin({ stdin: process.stdin, hasPrompt: true, warn });
  if (piped.kind === "error") { warn(piped.message); process.exit(1); }
  const notice = { type: "notice", level: "info", text: "n".repeat(5000) };
  const { engine } = fakeEngine(fakeSession, {
    prompt: { events: Array(400).fill(notice), outcome: outcomeOf({ text: piped.text + "x".repeat(${answerBytes}) }) },
  });
  const totals = () => ({ costUsd: null, modelUsage: {} });
  process.exit(await runPrint({ engine, prompt: "hi", format: process.argv[2], stdout: process.stdout, warn, totals }));
`;
let program: string;
let command: string;
beforeAll(async () => {
  program = await bundleProgram(source);
  command = `"${process.execPath}" "${program}"`;
});

const shell = (script: string) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => {
      output.stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output.stderr += chunk;
    });
    child.once("close", (code) => resolve({ code, ...output }));
  });

test("F172 the answer is whole in a file and behind a slow reader", async () => {
  const file = join(tempDir(), "out");
  expect(await shell(`${command} text > ${file}`)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(file, "utf8")).toBe(`${"x".repeat(answerBytes)}\n`);
  const slow = await shell(`${command} text | { head -c 70000 > ${file}; sleep 0.3; cat >> ${file}; }`);
  expect(slow).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(file).length).toBe(answerBytes + 1);
});

test("F172 stream-json is whole lines behind a slow reader", async () => {
  const { stdout, stderr, code } = await shell(`${command} stream-json | { sleep 0.3; cat; }`);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(402);
  expect(lines.at(-1).result).toHaveLength(answerBytes);
});

test.each(["text", "json", "stream-json"])("F172 a reader that leaves ends %s quietly", async (format) => {
  const { stdout, stderr } = await shell(`${command} ${format} | head -c1`);
  expect([stdout.length, stderr]).toEqual([1, ""]);
});

test("F172 a closed stdout ends it quietly", async () => {
  expect(await shell(`${command} text >&-`)).toMatchObject({ stdout: "", stderr: "" });
});

test("F172 no data, piped data and too much data on stdin", async () => {
  expect((await shell(`${command} text < /dev/null | head -c 3`)).stdout).toBe("xxx");
  expect((await shell(`echo ctx | ${command} text | head -c 3`)).stdout).toBe("ctx");
  expect(await shell(`head -c 11000000 /dev/zero | ${command} text`)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("more than 10 MB"),
  });
});

test("F172 an open stdin without data holds it up for a few seconds only, and it says so", async () => {
  const child = spawn(process.execPath, [program, "text"], { stdio: ["pipe", "pipe", "pipe"] });
  let bytes = 0;
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  // Its stdin stays open: only giving up ends it.
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, bytes]).toEqual([0, answerBytes + 1]);
  expect(said).toContain("Nothing on stdin for 3 s");
});
