// /config behind the dialog: where values came from, which file a change goes into, and what is refused.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSession } from "../../../src/query/open-session.js";
import { changeSetting, settingRows } from "../../../src/query/settings-rows.js";
import { loadSettings } from "../../../src/settings/load.js";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const emit = async () => undefined;

const sessionWith = async (layers: { user?: object; project?: object; managed?: object; flag?: object }) => {
  const { workspace } = await engineWorld({}, { settings: { theme: "dark", ...layers.user } });
  workspace.populate({ projectSettings: { ...layers.project } });
  const session = await createSession({
    env: workspace.env(),
    cwd: workspace.project,
    flags: {},
    isInteractive: true,
    mayStartTour: false,
    includeStream: false,
    entrypoint: "cli",
    version: "0.0.0-test",
    clock: handClock(),
    random: () => 0.5,
  });
  const managedPath = join(workspace.home, "managed.json");
  if (layers.managed) writeFileSync(managedPath, JSON.stringify(layers.managed));
  session.reloadSettings = async () => {
    session.settings = await loadSettings({
      cwd: workspace.project,
      home: workspace.home,
      configDir: workspace.configDir,
      env: {},
      isTrusted: true,
      managedPath,
      ...(layers.flag ? { flags: { settings: JSON.stringify(layers.flag) } } : {}),
    });
  };
  await session.reloadSettings();
  const row = (key: string) => settingRows(session).find((one) => one.key === key);
  const files = {
    user: join(workspace.configDir, "settings.json"),
    local: join(workspace.project, ".claude/settings.local.json"),
  };
  return { session, row, files };
};

const jsonOf = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

test("each value tells which file and line it came from, or that it is the default", async () => {
  const { row } = await sessionWith({});
  expect(row("theme")).toMatchObject({ kind: "choice", value: "dark" });
  expect(row("theme")?.from).toMatch(/^user ~\/.*settings\.json:2$/);
  expect(row("verbose")).toMatchObject({ value: "false", values: ["true", "false"], from: "default" });
  expect(row("permissions.defaultMode")).toMatchObject({ kind: "choice", from: "default" });
  expect(row("allowManagedHooksOnly")).toBeUndefined();
});

test("a change goes into the user's settings, one of a key that the project sets beside the project", async () => {
  const { session, row, files } = await sessionWith({ project: { showTurnDuration: false } });
  expect(await changeSetting(session, "VERBOSE", "on", emit)).toMatch(/^verbose is now true \(~\/.*settings\.json\)$/);
  expect(jsonOf(files.user)).toEqual({ theme: "dark", verbose: true });
  await changeSetting(session, "turnDuration", "yes", emit);
  expect(jsonOf(files.local)).toEqual({ showTurnDuration: true });
  expect(row("showTurnDuration")).toMatchObject({ value: "true" });
  await changeSetting(session, "verbose", "default", emit);
  expect(jsonOf(files.user)).toEqual({ theme: "dark" });
});

test("a dotted key is written into its object", async () => {
  const { session, files } = await sessionWith({ user: { permissions: { allow: ["Bash(ls)"] } } });
  expect(await changeSetting(session, "permissionMode", "plan", emit)).toContain("from the next start");
  expect(jsonOf(files.user)).toMatchObject({ permissions: { allow: ["Bash(ls)"], defaultMode: "plan" } });
});

test("what managed settings or --settings decide is refused with the place, and nothing is written", async () => {
  const { session, row, files } = await sessionWith({ managed: { verbose: true }, flag: { editorMode: "vim" } });
  const before = readFileSync(files.user, "utf8");
  await expect(changeSetting(session, "verbose", "false", emit)).rejects.toThrow(
    /owner of this machine.*managed\.json:1/,
  );
  await expect(changeSetting(session, "editor", "normal", emit)).rejects.toThrow(/this start was given it: --settings/);
  expect(row("verbose")?.locked).toContain("managed");
  expect(readFileSync(files.user, "utf8")).toBe(before);
  expect(existsSync(files.local)).toBe(false);
});

test("names and values that do not exist are refused with what would do", async () => {
  const { session } = await sessionWith({});
  await expect(changeSetting(session, "verbos", "true", emit)).rejects.toThrow("Did you mean verbose?");
  await expect(changeSetting(session, "editorMode", "emacs", emit)).rejects.toThrow("It may be normal, vim.");
  await expect(changeSetting(session, "cleanupPeriodDays", "soon", emit)).rejects.toThrow('cannot be "soon"');
  await expect(changeSetting(session, "hooks", "x", emit)).rejects.toThrow("change it in the settings file");
  await expect(changeSetting(session, "allowManagedHooksOnly", "false", emit)).rejects.toThrow("managed settings only");
});

test("the dialog's request is answered with the new rows, and the screen hears of the change", async () => {
  const { workspace } = await engineWorld();
  const { send, events } = await openEngine(workspace, { clock: handClock(), trusts: true });
  events.length = 0;
  await send({ type: "change_setting", key: "editorMode", value: "vim" });
  expect(events.map(({ type }) => type)).toEqual(["session", "setting_rows"]);
  expect(events[0]).toMatchObject({ session: { interface: { editorMode: "vim" } } });
  expect(events[1]).toMatchObject({ key: "editorMode", isError: false });
  await send({ type: "change_setting", key: "editorMode", value: "emacs" });
  expect(events.at(-1)).toMatchObject({ type: "setting_rows", isError: true });
});

test("/config name=value works without a screen", async () => {
  const { workspace } = await engineWorld();
  const { prompt, events } = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  await prompt("/config verbose=true  language='plain English'");
  expect(jsonOf(join(workspace.configDir, "settings.json"))).toMatchObject({
    verbose: true,
    language: "plain English",
  });
  await prompt("/config verbose");
  expect(events.findLast(({ type }) => type === "command_output")).toMatchObject({ isError: true });
});
