import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionUpdate } from "../../../src/protocol/permission.js";
import { updateUserSettings, writePermissionUpdate } from "../../../src/settings/write.js";

const places = async () => {
  const root = await mkdtemp(join(tmpdir(), "write-settings-"));
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  await Promise.all([cwd, home].map((dir) => mkdir(dir)));
  return { cwd, home, configDir: join(home, ".claude") };
};

const addRule = (
  destination: "localSettings" | "projectSettings" | "userSettings",
  ruleContent: string,
): PermissionUpdate => ({
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent }],
  behavior: "allow",
  destination,
});

test("a rule goes into the file its destination names, created when missing", async () => {
  const where = await places();
  await writePermissionUpdate(addRule("localSettings", "npm test *"), where);
  const written = JSON.parse(await readFile(join(where.cwd, ".claude/settings.local.json"), "utf8"));
  expect(written).toEqual({ permissions: { allow: ["Bash(npm test *)"] } });
});

test("comments, order and unknown keys stay, rules are not doubled", async () => {
  const where = await places();
  const file = join(where.configDir, "settings.json");
  await mkdir(where.configDir);
  await writeFile(
    file,
    '{\n  // mine\n  "odd": 1,\n  "permissions": { "deny": ["Read(.env)"], "allow": ["Bash(ls)"] },\n}\n',
  );
  await writePermissionUpdate(addRule("userSettings", "ls"), where);
  await writePermissionUpdate(addRule("userSettings", "pwd"), where);
  const text = await readFile(file, "utf8");
  expect(text).toContain("// mine");
  expect(text).toContain('"odd": 1');
  expect(text).toContain('"deny": ["Read(.env)"]');
  expect(text.match(/Bash\(ls\)/g)).toHaveLength(1);
  expect(text).toContain("Bash(pwd)");
});

test("a rule can be taken out again", async () => {
  const where = await places();
  await writePermissionUpdate(addRule("projectSettings", "a"), where);
  await writePermissionUpdate({ ...addRule("projectSettings", "a"), type: "removeRules" } as PermissionUpdate, where);
  const written = JSON.parse(await readFile(join(where.cwd, ".claude/settings.json"), "utf8"));
  expect(written).toEqual({ permissions: { allow: [] } });
});

test("a file that cannot be parsed is named with its line and left alone", async () => {
  const where = await places();
  const file = join(where.cwd, ".claude/settings.json");
  await mkdir(join(where.cwd, ".claude"));
  await writeFile(file, '{\n "a": \n}');
  await expect(writePermissionUpdate(addRule("projectSettings", "a"), where)).rejects.toThrow(`${file}:3`);
  expect(await readFile(file, "utf8")).toBe('{\n "a": \n}');
});

test("user settings take and lose single members", async () => {
  const { configDir } = await places();
  await updateUserSettings(configDir, { model: "haiku", theme: "light" });
  await updateUserSettings(configDir, { model: undefined });
  expect(JSON.parse(await readFile(join(configDir, "settings.json"), "utf8"))).toEqual({ theme: "light" });
});
