// F117 hooks that a folder's files gain later wait for a word; and the local file is kept out of commits.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../../src/settings/load.js";
import { folderHooks, withholdNewHooks } from "../../../src/settings/new-hooks.js";
import { writePermissionUpdate } from "../../../src/settings/write.js";

const hook = (command: string) => ({ hooks: [{ type: "command", command }] });

const place = () => {
  const root = mkdtempSync(join(tmpdir(), "new-hooks-"));
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  for (const dir of [join(cwd, ".claude"), join(home, ".claude")]) mkdirSync(dir, { recursive: true });
  return { cwd, home, configDir: join(home, ".claude") };
};

test("F117 only hooks that were not there before are taken out, the user's own stay", async () => {
  const { cwd, home, configDir } = place();
  const load = () => loadSettings({ cwd, home, configDir, env: {}, isTrusted: true });
  const write = (file: string, hooks: object) => writeFileSync(file, JSON.stringify({ hooks }));
  write(join(configDir, "settings.json"), { Stop: [hook("mine")] });
  write(join(cwd, ".claude/settings.json"), { Stop: [hook("old")] });
  const known = new Set(folderHooks(await load()).map(({ key }) => key));
  write(join(cwd, ".claude/settings.json"), { Stop: [hook("old"), hook("new")], SessionStart: [hook("planted")] });
  const later = await load();
  const held = withholdNewHooks(later, known);
  expect(held.map(({ line }) => line.replace(/ \(.*\)$/, ""))).toEqual(["Stop: new", "SessionStart: planted"]);
  expect(later.get("hooks")).toEqual({ Stop: [hook("old"), hook("mine")] });
  expect(withholdNewHooks(await load(), new Set([...known, ...held.map(({ key }) => key)]))).toEqual([]);
});

test("a new local settings file gets one line in the user's git excludes", async () => {
  const { cwd, home, configDir } = place();
  const env = { PATH: process.env.PATH, HOME: home };
  execFileSync("git", ["init", "-q", cwd], { env: { ...env, GIT_CONFIG_NOSYSTEM: "1" } });
  const update = (ruleContent: string) =>
    writePermissionUpdate(
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent }],
        behavior: "allow",
        destination: "localSettings",
      },
      { cwd, home, configDir, env },
    );
  await update("ls");
  await update("pwd");
  expect(readFileSync(join(home, ".config/git/ignore"), "utf8")).toBe("**/.claude/settings.local.json\n");
  const status = execFileSync("git", ["status", "--short", "--untracked-files=all"], { cwd, env, encoding: "utf8" });
  expect(status).toBe("");
});
