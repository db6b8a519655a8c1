import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { type PtyOptions, startPty } from "../../helpers/pty.js";

const start = (script: string, options: Partial<PtyOptions> = {}) => {
  const pty = startPty({
    command: process.execPath,
    args: ["-e", script],
    cwd: tmpdir(),
    timeoutMs: 5_000,
    ...options,
  });
  onTestFinished(() => pty.dispose());
  return pty;
};
const shell = (script: string, options: Partial<PtyOptions> = {}) => {
  const pty = startPty({ command: "/bin/sh", args: ["-c", script], cwd: tmpdir(), timeoutMs: 5_000, ...options });
  onTestFinished(() => pty.dispose());
  return pty;
};

test("keys, pastes and mouse reach the program as a terminal sends them", async () => {
  const pty = start(
    `process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2004h");
     process.stdin.on("data", d => process.stdout.write(JSON.stringify(d.toString()) + "\\r\\n")); console.log("ready")`,
  );
  await pty.waitFor("ready");
  pty.press("enter");
  await pty.waitFor('"\\r"');
  pty.press("shift-tab");
  await pty.waitFor('"\\u001b[Z"');
  pty.press("ctrl-c");
  await pty.waitFor('"\\u0003"');
  pty.paste("two\nlines");
  await pty.waitFor('"\\u001b[200~two\\nlines\\u001b[201~"');
  pty.mouse("wheel-up", 4, 2);
  await pty.waitFor('"\\u001b[<64;5;3M"');
  expect(() => pty.press("hyper-x")).toThrow('Unknown key "hyper-x"');
});

test("colours and weights of cells can be read", async () => {
  const pty = shell(String.raw`printf '\033[1;31mA\033[0m\033[2mB\033[0m\033[38;2;1;2;3mC\033[0m\033[7mD'; sleep 5`);
  await pty.waitFor("ABCD");
  expect([0, 1, 2, 3].map((x) => pty.cell(x, 0))).toMatchObject([
    { text: "A", fg: "palette:1", bold: true, dim: false },
    { text: "B", fg: "default", bold: false, dim: true },
    { text: "C", fg: "#010203" },
    { text: "D", inverse: true },
  ]);
});

test("emoji take two cells, joined ones too", async () => {
  const pty = shell(String.raw`printf 'a👨‍👩‍👧b\n'; sleep 5`);
  await pty.waitFor("b");
  expect(pty.cell(3, 0).text).toBe("b");
});

test("a resize reaches program and emulator together", async () => {
  const pty = start(
    `process.stdout.on("resize", () => console.log(process.stdout.columns + "x" + process.stdout.rows)); console.log("ready"); setInterval(() => {}, 1e6)`,
  );
  await pty.waitFor("ready");
  pty.resize(40, 12);
  await pty.waitFor("40x12");
  expect(pty.screen().length).toBe(12);
});

test("private modes and cursor are known", async () => {
  const pty = shell(String.raw`printf '\033[?1049h\033[?25l\033[5;3Hx'; sleep 5`);
  await pty.waitFor("x");
  expect([pty.modeIsSet(1049), pty.modeIsSet(2004), pty.cursor()]).toEqual([
    true,
    false,
    { x: 3, y: 4, isVisible: false },
  ]);
});

test("device queries are answered", async () => {
  const pty = start(
    `process.stdin.setRawMode(true); process.stdin.on("data", d => console.log(JSON.stringify(d.toString())));
     process.stdout.write("\\x1b[c\\x1b]11;?\\x1b\\\\")`,
    { background: "0000/0000/0000" },
  );
  await pty.waitFor("[?1;2c");
  await pty.waitFor("]11;rgb:0000/0000/0000");
});

test("variables that change drawing do not leak in from the test run", async () => {
  const pty = start(`console.log([process.env.CI, process.env.FORCE_COLOR, process.env.NO_COLOR].join("-") + "!")`, {
    env: { NO_COLOR: "1" },
  });
  await pty.exit;
  expect(pty.text()).toBe("--1!");
});

test("exit code and signal are reported, with the last output on the screen", async () => {
  const ended = shell("echo bye; exit 3");
  expect(await ended.exit).toEqual({ code: 3, signal: undefined });
  expect(ended.text()).toBe("bye");
  const killed = shell("echo up; exec sleep 30");
  await killed.waitFor("up");
  killed.kill("SIGKILL");
  expect((await killed.exit).signal).toBe(9);
});

test("a wait that fails shows the screen, and says so when the program has ended", async () => {
  const pty = shell("echo here; exec sleep 30");
  await expect(pty.waitFor("elsewhere", 200)).rejects.toThrow(/Not seen in 200 ms: "elsewhere"[\s\S]*\|here/);
  pty.kill("SIGKILL");
  await expect(pty.waitFor("elsewhere")).rejects.toThrow(/program ended while waiting/);
});
