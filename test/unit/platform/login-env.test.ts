// The login shell's environment: what it adds, what it may not replace, and that it cannot hang.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readLoginEnv } from "../../../src/platform/login-env.js";

const { signal } = new AbortController();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "login-env-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const base = (): Record<string, string> => ({ HOME: home, PATH: "/venv/bin:/usr/bin:/bin", KEPT: "mine" });

it("exports of the login shell are added, its PATH entries go last, what was inherited stays", async () => {
  writeFileSync(
    join(home, ".bash_profile"),
    'echo noise; export ADDED="two\nlines" KEPT=theirs PATH="/opt/tool/bin:$PATH"; plain=1\n',
  );
  const added = await readLoginEnv(base(), home, signal);
  expect(added).toMatchObject({ ADDED: "two\nlines" });
  expect(added).not.toHaveProperty("KEPT");
  expect(added).not.toHaveProperty("plain");
  expect(added.PATH?.startsWith("/venv/bin:/usr/bin:/bin:")).toBe(true);
  expect(added.PATH?.split(":")).toContain("/opt/tool/bin");
});

it("CLAUDE_ENV_FILE has the last word", async () => {
  writeFileSync(join(home, "env.sh"), 'export KEPT=file PATH="/first:$PATH"\n');
  const added = await readLoginEnv({ ...base(), CLAUDE_ENV_FILE: join(home, "env.sh") }, home, signal);
  expect(added.KEPT).toBe("file");
  expect(added.PATH?.startsWith("/first:")).toBe(true);
});

it("a start-up file that waits for ever, or on the terminal, adds nothing and ends", async () => {
  writeFileSync(join(home, ".bash_profile"), "read x < /dev/tty; sleep 60\n");
  const startedAt = Date.now();
  expect(await readLoginEnv(base(), home, signal)).toEqual({});
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});
