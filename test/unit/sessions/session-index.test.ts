// The index of the lists: a cache that is never believed over the files.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSessions, listSome, newestSession } from "../../../src/sessions/list.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const line = (fields: object): string =>
  `${JSON.stringify({ type: "user", uuid: "u", cwd: "/p", entrypoint: "cli", ...fields })}\n`;
const prompt = (content: string): string => line({ message: { role: "user", content } });

const world = () => {
  const root = tempDir();
  const folder = join(root, "-p");
  mkdirSync(folder);
  const options = { projectDir: folder, indexDir: join(root, "cache"), includeDamaged: true };
  const titles = async () => (await listSessions(options)).map(({ title }) => title);
  const put = (name: string, text: string, seconds = 0) => {
    const file = join(folder, `${name}.jsonl`);
    writeFileSync(file, text);
    utimesSync(file, 1e9 - seconds, 1e9 - seconds);
    return file;
  };
  return { folder, options, titles, put, index: join(root, "cache", "-p.json") };
};

test("unchanged files are not read again; changed, new and removed ones are noticed", async () => {
  const { titles, put, folder, index } = world();
  const a = put("a", prompt("one"), 1);
  put("b", prompt("two"), 2);
  expect(await titles()).toEqual(["one", "two"]);
  const known = JSON.parse(readFileSync(index, "utf8"));
  known.files["a.jsonl"].row.title = "from the index";
  writeFileSync(index, JSON.stringify(known));
  expect(await titles()).toEqual(["from the index", "two"]);
  appendFileSync(a, `{"type":"custom-title","customTitle":"named"}\n`);
  utimesSync(a, 1e9, 1e9);
  rmSync(join(folder, "b.jsonl"));
  put("c", prompt("three"), 3);
  expect(await titles()).toEqual(["named", "three"]);
});

test.each([
  "",
  "{",
  "[]",
  '{"format":0,"files":{}}',
  '{"format":1,"files":{"a.jsonl":null,"b.jsonl":3}}',
  '{"format":1}',
])("an index that holds %j is made again", async (content) => {
  const { titles, put, index } = world();
  put("a", prompt("one"));
  await titles();
  writeFileSync(index, content);
  expect(await titles()).toEqual(["one"]);
  expect(JSON.parse(readFileSync(index, "utf8")).files["a.jsonl"].row.title).toBe("one");
});

test("a damaged file is shown as that, never chosen for --continue, and empty ones are no sessions", async () => {
  const { options, put, folder } = world();
  put("torn", "{ not json\n\u0000\u0000\n");
  put("empty", "");
  put("fine", prompt("one"), 5);
  const locked = put("locked", prompt("secret"), 9);
  chmodSync(locked, 0);
  const rows = await listSessions(options);
  const isRoot = process.getuid?.() === 0; // root may read everything
  expect(rows.map(({ sessionId, problem }) => [sessionId, problem])).toEqual([
    ["torn", "no line of it can be read"],
    ["fine", undefined],
    ["locked", isRoot ? undefined : "it cannot be opened (EACCES)"],
  ]);
  expect((await listSessions({ projectDir: folder })).map(({ sessionId }) => sessionId)).not.toContain("torn");
  expect((await newestSession(options))?.sessionId).toBe("fine");
});

test("2,000 sessions: the first list reads few files, the index makes the next one whole and quick", async () => {
  const { options, put } = world();
  for (let at = 0; at < 2_000; at += 1) put(`s${at}`, prompt(`prompt ${at}`), at);
  const first = await listSome(options, 60);
  expect([first.rows.length, first.isComplete, first.rows[0]?.title]).toEqual([60, false, "prompt 0"]);
  const told: number[] = [];
  expect((await listSessions({ ...options, onRows: (rows) => told.push(rows.length) })).length).toBe(2_000);
  expect(told[0]).toBeLessThan(100);
  const started = performance.now();
  const again = await listSome(options, 60);
  expect([again.rows.length, again.isComplete]).toEqual([2_000, true]);
  expect(performance.now() - started).toBeLessThan(1_500);
});
