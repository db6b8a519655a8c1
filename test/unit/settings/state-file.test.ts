// The state file is shared by every process of a person and must survive all of them.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  changeProjectEntry,
  projectEntry,
  readState,
  type StateFile,
  updateState,
} from "../../../src/settings/state-file.js";

let base: string;
let state: StateFile;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "state-"));
  state = { file: join(base, ".claude.json"), configDir: join(base, ".claude") };
});
afterEach(() => rm(base, { recursive: true, force: true }));

const onDisk = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(state.file, "utf8"));

test("F064 processes that write at once, some of them killed, lose no key of another", async () => {
  await updateState(state, (data) => Object.assign(data, { mcpServers: { docs: {} } }));
  const start = (name: string) =>
    fork("test/fixtures/state-writer.ts", [state.file, state.configDir, name], {
      execArgv: ["--import", "tsx"],
      stdio: "ignore",
    });
  const names = ["a", "b", "c", "d"];
  const writers = names.map(start);
  const doomed = start("doomed");
  doomed.once("message", () => doomed.kill("SIGKILL"));
  await Promise.all([...writers, doomed].map((child) => once(child, "exit")));
  const data = await onDisk();
  expect(data.mcpServers).toEqual({ docs: {} });
  expect(names.map((name) => projectEntry(data, `/${name}`).count)).toEqual(names.map(() => 10));
}, 60_000);

test("F150 nulls and wrong types give defaults and stay on disk", async () => {
  const odd = { projects: { "/p": null, "/q": 3 }, tips: 5, history: "x", lists: [1, "a", null] };
  await writeFile(state.file, JSON.stringify(odd));
  const { data, problem } = await readState(state);
  expect([projectEntry(data, "/p"), projectEntry(data, "/none"), problem]).toEqual([{}, {}, undefined]);
  await updateState(state, (current) => changeProjectEntry(current, "/p", { seen: 1 }));
  expect(await onDisk()).toEqual({ ...odd, projects: { "/p": { seen: 1 }, "/q": 3 } });
});

test("F146 a state file with a byte-order mark is read and not rewritten by reading", async () => {
  const text = '\uFEFF{"a": 1}';
  await writeFile(state.file, text);
  expect((await readState(state)).data).toEqual({ a: 1 });
  expect(await readFile(state.file, "utf8")).toBe(text);
});

test("a damaged file is kept aside and the last backup goes on", async () => {
  await writeFile(state.file, '{"theme": "light"}');
  await updateState(state, (data) => Object.assign(data, { seen: 1 }), 1000);
  await writeFile(state.file, '{"theme": ');
  const { data, problem } = await readState(state);
  expect([data, problem?.includes("last backup")]).toEqual([{ theme: "light" }, true]);
  await updateState(state, (current) => Object.assign(current, { seen: 2 }), 2000);
  expect(await onDisk()).toEqual({ theme: "light", seen: 2 });
  expect((await readdir(join(state.configDir, "backups"))).sort()).toEqual([
    ".claude.json.backup.1000",
    ".claude.json.corrupted.2000",
  ]);
});

test("the five newest backups are kept, at most one an hour", async () => {
  await writeFile(state.file, "{}");
  const hour = 3_600_000;
  const now = Date.now();
  for (let index = 0; index < 8; index++)
    await updateState(state, (data) => Object.assign(data, { index }), now + index * 2 * hour);
  const names = await readdir(join(state.configDir, "backups"));
  expect(names).toHaveLength(5);
  await updateState(state, () => {}, now + 14 * hour + 1);
  expect(await readdir(join(state.configDir, "backups"))).toHaveLength(5);
});
