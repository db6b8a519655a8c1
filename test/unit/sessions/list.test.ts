import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectDir } from "../../../src/platform/paths.js";
import { findSession } from "../../../src/sessions/find.js";
import { listSessions, newestSession } from "../../../src/sessions/list.js";
import { answer, call, result, tempDir, text, writerFor } from "../../helpers/transcript-kit.js";

const age = (file: string, seconds: number) => utimesSync(file, 1e9 - seconds, 1e9 - seconds);

test("F060 old, mixed and unknown transcripts are listed, empty ones are skipped", async () => {
  const folder = tempDir();
  const put = (name: string, ...records: object[]) =>
    writeFileSync(join(folder, `${name}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  put("old", { type: "user", message: { role: "user", content: "from an old version" } });
  put(
    "two-ids",
    { type: "user", uuid: "1", sessionId: "a", message: { content: "first id" } },
    { type: "user", uuid: "2", parentUuid: "1", sessionId: "b", message: { content: "second id" } },
  );
  put("unknown", { type: "of-the-future", x: 1 }, { type: "user", uuid: "1", message: { content: "known" } });
  put("empty");
  put("only-a-mode", { type: "permission-mode", permissionMode: "plan" });
  put("agent-1", { type: "user", uuid: "1", message: { content: "a sidechain of an older version" } });
  put("side", { type: "user", uuid: "1", isSidechain: true, message: { content: "also one" } });
  writeFileSync(join(folder, "notes.txt"), "x");
  mkdirSync(join(folder, "folder.jsonl"));
  const rows = await listSessions({ projectDir: folder, cwd: "/project" });
  expect(rows.map(({ sessionId, title, messages }) => [sessionId, title, messages]).sort()).toEqual([
    ["old", "from an old version", 1],
    ["two-ids", "first id", 2],
    ["unknown", "known", 1],
  ]);
});

test("a row has title, prompts, age, branch and size", async () => {
  const folder = tempDir();
  const file = join(folder, "a.jsonl");
  const writer = writerFor(file);
  writer.appendUser({ content: "<system-reminder>x</system-reminder>", isMeta: true });
  writer.appendUser({ content: "first\n  prompt" });
  writer.appendAssistant({ message: answer("m1", call("t")) });
  writer.appendToolResult({ block: result("t", "r") });
  writer.appendUser({ content: "expanded", shown: "typed @file" });
  writer.appendUser({ content: "[Request interrupted by user]" });
  age(file, 0);
  const [row] = await listSessions({ projectDir: folder, cwd: "/project" });
  expect(row).toMatchObject({
    sessionId: "a",
    title: "first prompt",
    lastPrompt: "typed @file",
    updatedAt: 1e12,
    messages: 6,
    branch: "main",
    cwd: "/project",
    entrypoint: "cli",
    file,
  });
  expect(row).not.toHaveProperty("name");
  writer.appendTitle("Given", "person");
  expect((await listSessions({ projectDir: folder, cwd: "/project" }))[0]).toMatchObject({
    title: "Given",
    name: "Given",
  });
});

test("of a big file only the ends are read: title from the tail, prompt from the head, messages estimated", async () => {
  const folder = tempDir();
  const file = join(folder, "a.jsonl");
  const writer = writerFor(file);
  writer.appendUser({ content: "the first prompt" });
  for (let index = 0; index < 1000; index += 1)
    writer.appendAssistant({ message: answer(`m${index}`, text("y".repeat(1000))) });
  appendFileSync(file, `{"type":"ai-title","aiTitle":"From the tail"}\n`);
  const [row] = await listSessions({ projectDir: folder, cwd: "/project" });
  expect(row?.title).toBe("From the tail");
  expect(row?.messages).toBeGreaterThan(900);
  expect(row?.messages).toBeLessThan(1100);
});

test("headless sessions are hidden from the picker and kept for -p; the newest comes first", async () => {
  const folder = tempDir();
  const put = (name: string, entrypoint: string, seconds: number, cwd = "/project") => {
    const file = join(folder, `${name}.jsonl`);
    writerFor(file, { entrypoint, cwd }).appendUser({ content: name });
    age(file, seconds);
  };
  put("b", "cli", 20);
  put("a", "sdk-cli", 10);
  put("c", "cli", 30);
  put("other-folder", "cli", 0, "/proj-ect".replace("-", "."));
  const names = async (options: object) =>
    (await listSessions({ projectDir: folder, cwd: "/proj/ect", ...options })).map(({ sessionId }) => sessionId);
  // "/proj.ect" and "/proj/ect" share a slug; "/project" does not, so its files were moved here.
  expect(await names({})).toEqual(["b", "c"]);
  expect(await names({ includeHeadless: true })).toEqual(["a", "b", "c"]);
  expect((await newestSession({ projectDir: folder, cwd: "/project" }))?.sessionId).toBe("other-folder");
  expect((await newestSession({ projectDir: folder, cwd: "/proj/ect" }))?.sessionId).toBe("b");
  expect(await newestSession({ projectDir: join(folder, "missing") })).toBeUndefined();
});

test("a session is found by id in every project, by title nearest first; two of one title are ambiguous", async () => {
  const env = { CLAUDE_CONFIG_DIR: tempDir() };
  const put = (cwd: string, id: string, title: string) => {
    const writer = writerFor(join(projectDir(env, cwd), `${id}.jsonl`), { cwd });
    writer.appendUser({ content: "x" });
    writer.appendTitle(title, "person");
  };
  put("/here", "id-1", "near");
  put("/tree", "id-2", "middle");
  put("/tree", "id-3", "middle");
  put("/far", "id-4", "near");
  put("/far", "id-5", "far");
  const find = async (wanted: string) => {
    const found = await findSession(wanted, { env, cwd: "/here", worktrees: ["/tree"] });
    if (found.kind === "found") return found.session.sessionId;
    return found.kind === "none" ? "none" : found.sessions.map(({ sessionId }) => sessionId).sort();
  };
  expect(await find("id-5")).toBe("id-5");
  expect(await find("near")).toBe("id-1");
  expect(await find("middle")).toEqual(["id-2", "id-3"]);
  expect(await find("far")).toBe("id-5");
  expect(await find("nowhere")).toBe("none");
  expect(await find("../../etc/passwd")).toBe("none");
});
