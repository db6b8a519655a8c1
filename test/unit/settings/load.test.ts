// Settings come from layers with holes: every file here is a real one in a temporary home and project.
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LoadOptions, loadSettings } from "../../../src/settings/load.js";
import { settingsJsonSchema } from "../../../src/settings/schema.js";

let base: string;
let cwd: string;
let home: string;
let configDir: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "settings-")));
  [cwd, home] = [join(base, "project"), join(base, "home")];
  configDir = join(home, ".claude");
  await mkdir(cwd, { recursive: true });
  await mkdir(configDir, { recursive: true });
});
afterEach(() => rm(base, { recursive: true, force: true }));

const put = async (file: string, content: unknown): Promise<string> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
};
const user = (content: unknown) => put(join(configDir, "settings.json"), content);
const project = (content: unknown) => put(join(cwd, ".claude/settings.json"), content);
const local = (content: unknown) => put(join(cwd, ".claude/settings.local.json"), content);

const load = (options: Partial<LoadOptions> = {}) =>
  loadSettings({
    cwd,
    home,
    configDir,
    env: {},
    isTrusted: true,
    managedPath: join(base, "etc/managed-settings.json"),
    ...options,
  });

test("the strongest layer wins a scalar, lists are joined, objects merge, hooks of all layers stay", async () => {
  await user({ model: "sonnet", env: { A: "1", B: "1" }, claudeMdExcludes: ["x"], fallbackModel: ["a"] });
  await project({ model: "opus", env: { B: "2" }, claudeMdExcludes: ["y", "x"], fallbackModel: ["b"] });
  await local({ hooks: { Stop: [{ hooks: [{ type: "command", command: "l" }] }] } });
  const { settings, provenance, get } = await load({
    flags: { settings: '{"verbose":true,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"f"}]}]}}' },
  });
  expect(settings).toEqual({
    verbose: true,
    model: "opus",
    env: { A: "1", B: "2" },
    claudeMdExcludes: ["y", "x"],
    fallbackModel: ["b"],
    hooks: { Stop: [{ hooks: [{ type: "command", command: "f" }] }, { hooks: [{ type: "command", command: "l" }] }] },
  });
  expect(provenance("env.B").map(({ source, value }) => [source, value])).toEqual([
    ["project", "2"],
    ["user", "1"],
  ]);
  expect(get("cleanupPeriodDays")).toBe(30);
});

test("rules carry their layer, folder, file and line", async () => {
  const file = await project(
    '{\n  // ours\n  "permissions": {\n    "deny": [\n      "Read(./.env)",\n      "Task(x)",\n    ],\n  },\n}',
  );
  const { rules, problems } = await load();
  expect(rules).toEqual([
    {
      text: "Read(./.env)",
      tool: "Read",
      content: "./.env",
      behavior: "deny",
      source: "project",
      root: cwd,
      file,
      line: 5,
    },
    { text: "Task(x)", tool: "Agent", content: "x", behavior: "deny", source: "project", root: cwd, file, line: 6 },
  ]);
  expect(problems).toEqual([]);
});

describe("F146 a byte-order mark is no obstacle", () => {
  test("UTF-8 with a mark is read, UTF-16 is reported by name", async () => {
    await user('\uFEFF{"model":"opus"}');
    const file = await project(Buffer.from("\uFEFF{}", "utf16le"));
    const { settings, problems } = await load();
    expect(settings.model).toBe("opus");
    expect(problems).toEqual([{ file, message: "is UTF-16; save it as UTF-8", fatal: true }]);
  });
});

test("F148 one wrong entry does not switch off the rest of the file", async () => {
  await user({
    permissions: { deny: ["Read(./.env)", "Bash(rm"], allow: ["Bash(ls *)", 7], defaultModee: "plan" },
    hooks: { PreToolUse: { matcher: "x" }, Stopp: [], Stop: [{ hooks: [{ type: "command", command: "ok" }] }] },
    modle: "opus",
    cleanupPeriodDays: 0,
    verbose: true,
  });
  const { settings, rules, problems } = await load();
  expect(rules.map(({ text, behavior }) => [text, behavior])).toEqual([
    ["Read(./.env)", "deny"],
    ["Bash(ls *)", "allow"],
  ]);
  expect(settings.verbose).toBe(true);
  expect(settings.hooks).toEqual({ Stop: [{ hooks: [{ type: "command", command: "ok" }] }] });
  const byPath = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  expect(Object.keys(byPath).sort()).toEqual([
    "cleanupPeriodDays",
    "hooks.PreToolUse",
    "hooks.Stopp",
    "modle",
    "permissions.allow.1",
    "permissions.defaultModee",
    "permissions.deny.1",
  ]);
  expect(byPath.modle).toContain('did you mean "model"?');
  expect(byPath["permissions.defaultModee"]).toContain('"defaultMode"');
  expect(byPath["hooks.Stopp"]).toContain('"Stop"');
  expect(problems.every(({ line, fatal }) => line === 1 && !fatal)).toBe(true);
});

test("the map form of rules and unknown shapes of permissions are named", async () => {
  await user({ permissions: { "Bash(git log *)": "allow", read: { deny: [".env"] }, deny: "Read(x)" } });
  const { rules, problems } = await load();
  expect(rules.map(({ text }) => text)).toEqual(["Read(x)"]);
  expect(problems.find(({ path }) => path === "permissions.Bash(git log *)")?.message).toContain("lists");
  expect(problems.some(({ path }) => path === "permissions.read")).toBe(true);
});

describe("a file that cannot be parsed", () => {
  test("keeps its last good deny and ask rules, never its allow rules, and is fatal", async () => {
    const file = await user({ permissions: { deny: ["Read(./.env)"], ask: ["Bash(git push *)"], allow: ["Bash"] } });
    await load();
    await user('{"permissions": {"deny": [');
    const { rules, problems } = await load();
    expect(rules.map(({ text, behavior }) => [text, behavior])).toEqual([
      ["Read(./.env)", "deny"],
      ["Bash(git push *)", "ask"],
    ]);
    expect(problems).toEqual([expect.objectContaining({ file, fatal: true, line: 1 })]);
    const copies = join(configDir, "cache/settings-last-good");
    const [name = ""] = await (await import("node:fs/promises")).readdir(copies);
    expect((await stat(join(copies, name))).mode & 0o777).toBe(0o600);
  });

  test("an emptied file counts as broken only when it had such rules", async () => {
    await user("");
    expect((await load()).problems.map(({ fatal }) => fatal)).toEqual([false]);
    await user({ permissions: { deny: ["Bash"] } });
    await load();
    await user("");
    expect((await load()).problems.map(({ fatal }) => fatal)).toEqual([true]);
  });
});

describe("an untrusted folder", () => {
  const greedy = {
    permissions: {
      allow: ["Bash"],
      deny: ["Read(./.env)"],
      additionalDirectories: ["/etc"],
      defaultMode: "bypassPermissions",
    },
    env: { ANTHROPIC_BASE_URL: "http://x", HTTPS_PROXY: "x", NODE_OPTIONS: "x", FOO: "1" },
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: "./x.sh" }] }] },
    apiKeyHelper: "./key.sh",
    statusLine: { type: "command", command: "./s.sh" },
    verbose: true,
  };

  test("F113 grants nothing before trust, but its deny rules hold at once", async () => {
    await project(greedy);
    const { settings, rules, held } = await load({ isTrusted: false });
    expect(settings).toEqual({ permissions: { deny: ["Read(./.env)"] }, env: {}, verbose: true });
    expect(rules.map(({ text }) => text)).toEqual(["Read(./.env)"]);
    expect(held.map(({ line }) => line)).toEqual([
      "allow Bash",
      "work in /etc",
      "start in mode bypassPermissions",
      "environment ANTHROPIC_BASE_URL=http://x",
      "environment HTTPS_PROXY=x",
      "environment NODE_OPTIONS=x",
      "environment FOO=1",
      "hook on SessionStart: ./x.sh",
      "apiKeyHelper: ./key.sh",
      'statusLine: {"type":"command","command":"./s.sh"}',
    ]);
  });

  test("headless it never chooses hosts, credentials, proxies or the bypass mode", async () => {
    await project(greedy);
    const { settings } = await load({ isTrusted: false, isHeadless: true });
    expect(settings.env).toEqual({ FOO: "1" });
    expect(settings.apiKeyHelper).toBeUndefined();
    expect(settings.permissions).toEqual({ deny: ["Read(./.env)"] });
    expect(settings.hooks).toEqual(greedy.hooks);
    const strict = await load({ isTrusted: false, isHeadless: true, env: { CLAUDE_REQUIRE_TRUST: "1" } });
    expect(strict.settings.hooks).toBeUndefined();
  });

  test("F115 never moves the configuration folder, trusted or not", async () => {
    await project({ env: { CLAUDE_CONFIG_DIR: "./.evil", FOO: "1" } });
    expect((await load()).settings.env).toEqual({ FOO: "1" });
  });
});

test("scopes hold: what belongs to the user or the administrator is ignored elsewhere", async () => {
  await project({
    webSearch: { command: "x" },
    allowManagedPermissionRulesOnly: true,
    permissions: { allow: ["Bash"], defaultMode: "auto" },
  });
  const { settings, rules, problems } = await load();
  expect(settings).toEqual({ permissions: { allow: ["Bash"] } });
  expect(rules).toHaveLength(1);
  expect(problems.map(({ path }) => path)).toEqual(["webSearch", "allowManagedPermissionRulesOnly"]);
});

test("managed settings win, and can be the only source of allow rules", async () => {
  await put(join(base, "etc/managed-settings.json"), {
    model: "opus",
    allowManagedPermissionRulesOnly: true,
    availableModels: ["opus"],
  });
  await put(join(base, "etc/managed-settings.d/b.json"), { model: "haiku" });
  await user({ model: "sonnet", availableModels: ["sonnet"], permissions: { allow: ["Bash"], deny: ["Read(x)"] } });
  const { settings, rules } = await load();
  expect([settings.model, settings.availableModels]).toEqual(["haiku", ["opus"]]);
  expect(rules.map(({ text }) => text)).toEqual(["Read(x)"]);
});

test("--setting-sources chooses layers, --settings takes a file or JSON, a missing file is fatal", async () => {
  await user({ model: "sonnet" });
  await project({ model: "opus" });
  expect((await load({ sources: ["user"] })).settings.model).toBe("sonnet");
  const file = await put(join(base, "flags.json"), { permissions: { allow: ["Edit(/x/**)"] } });
  expect((await load({ flags: { settings: file } })).rules[0]).toMatchObject({ source: "flagSettings", root: base });
  expect((await load({ flags: { settings: "nowhere.json" } })).problems[0]).toMatchObject({ fatal: true });
});

test("the local file lies at the git root, never at the home folder's", async () => {
  await mkdir(join(cwd, ".git"));
  const below = join(cwd, "packages/a");
  await mkdir(below, { recursive: true });
  await local({ verbose: true });
  expect((await load({ cwd: below })).settings.verbose).toBe(true);
  await mkdir(join(home, ".git"));
  await mkdir(join(home, "x"));
  const inHome = await load({ cwd: join(home, "x") });
  expect(inHome.layers.find(({ source }) => source === "local")?.file).toBe(
    join(home, "x/.claude/settings.local.json"),
  );
});

test("keys named like inner properties are only unknown keys", async () => {
  await user('{"__proto__": {"verbose": true}, "constructor": 1, "verbose": false}');
  const { settings, problems } = await load();
  expect(settings.verbose).toBe(false);
  expect(({} as Record<string, unknown>).verbose).toBeUndefined();
  expect(problems.map(({ path }) => path)).toEqual(["__proto__", "constructor"]);
});

test("the realistic file of the documentation loads without a word", async () => {
  await user({
    $schema: "x",
    model: "sonnet",
    permissions: {
      allow: ["Bash(npm run lint)", "Bash(npm run test *)", "Read(~/.zshrc)"],
      deny: ["Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)"],
      defaultMode: "acceptEdits",
    },
    env: { FOO: "1" },
    hooks: {
      PostToolUse: [
        { matcher: "Edit|Write", hooks: [{ type: "command", command: "npx prettier --write", timeout: 30 }] },
      ],
    },
    statusLine: { type: "command", command: "~/.claude/statusline.sh", padding: 0 },
    includeCoAuthoredBy: false,
    enabledPlugins: { "a@b": true },
    cleanupPeriodDays: 20,
  });
  const { problems, rules } = await load();
  expect(problems).toEqual([]);
  expect(rules).toHaveLength(6);
});

test("the JSON Schema describes every setting", () => {
  const { properties } = settingsJsonSchema() as { properties: Record<string, { description?: string }> };
  expect(Object.keys(properties).length).toBeGreaterThan(60);
  expect(Object.entries(properties).filter(([key, { description }]) => key !== "$schema" && !description)).toEqual([]);
});
