// Trust is kept for a repository's root or a folder, and never lent to another.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acceptTrust, folderGrants, isTrusted, trustFolder } from "../../../src/settings/trust.js";

let home: string;
let configDir: string;
let state: { file: string; configDir: string };

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "trust-")));
  configDir = join(home, ".claude");
  state = { file: join(home, ".claude.json"), configDir };
});
afterEach(() => rm(home, { recursive: true, force: true }));

const folder = async (...parts: string[]): Promise<string> => {
  const path = join(home, ...parts);
  await mkdir(path, { recursive: true });
  return path;
};

test("a yes holds for the repository and everything in it, not for what lies beside it", async () => {
  const root = await folder("work/repo");
  await folder("work/repo/.git");
  const below = await folder("work/repo/packages/a");
  const beside = await folder("work/repo2");
  expect(await acceptTrust({ cwd: below, home, state })).toBe("stored");
  expect(
    await Promise.all([root, below, beside, join(home, "work")].map((cwd) => isTrusted({ cwd, home, state }))),
  ).toEqual([true, true, false, false]);
});

test("the home folder is trusted for the session only, and trusting a parent says nothing of a clone below it", async () => {
  expect(await acceptTrust({ cwd: home, home, state })).toBe("session");
  expect(await isTrusted({ cwd: home, home, state })).toBe(false);
  const work = await folder("work");
  await folder("work/clone/.git");
  await acceptTrust({ cwd: work, home, state });
  expect(await isTrusted({ cwd: join(work, "clone"), home, state })).toBe(false);
});

test("a worktree shares its repository's trust only when the repository names it too", async () => {
  const main = await folder("main");
  const gitDir = await folder("main/.git/worktrees/w");
  const tree = await folder("w");
  await writeFile(join(tree, ".git"), `gitdir: ${gitDir}\n`);
  await writeFile(join(gitDir, "commondir"), "../..\n");
  await writeFile(join(gitDir, "gitdir"), `${tree}/.git\n`);
  expect(await trustFolder({ cwd: tree, home })).toBe(main);
  const forged = await folder("forged");
  await writeFile(join(forged, ".git"), `gitdir: ${gitDir}\n`);
  expect(await trustFolder({ cwd: forged, home })).toBe(forged);
});

test("F113 the question lists what the folder would start or be granted", async () => {
  const cwd = await folder("repo");
  await folder("repo/.claude");
  await writeFile(
    join(cwd, ".claude/settings.json"),
    JSON.stringify({ permissions: { allow: ["Bash(npm *)"], deny: ["Bash(rm *)"] }, env: { A: "1" } }),
  );
  await writeFile(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { docs: {} } }));
  expect(await folderGrants({ cwd, home, state, configDir })).toEqual([
    "allow Bash(npm *)",
    "environment A=1",
    "MCP server docs (.mcp.json)",
  ]);
});
