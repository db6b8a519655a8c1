// `--rewind-files` in real processes: what goes back, what is said, and what is refused.
import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { readTranscript } from "../../helpers/scenario.js";

/** A project in which one prompt changed a file and made another. */
const changed = async () => {
  const { workspace, server } = await engineWorld({}, { files: { "a.txt": "one\n" } });
  const file = workspace.path("a.txt");
  const session = await openEngine(workspace, { clock: handClock(Date.now()) });
  server.push(
    { calls: [{ Read: { file_path: file } }] },
    { calls: [{ Edit: { file_path: file, old_string: "one", new_string: "two" } }] },
    { calls: [{ Write: { file_path: workspace.path("new.txt"), content: "new\n" } }] },
    { say: "done" },
  );
  await session.prompt("change it");
  await session.close();
  const prompt = readTranscript(workspace).find(({ type, isMeta }) => type === "user" && isMeta !== true);
  const { sessionId } = session.engine.session();
  const rewind = (id: string, ...more: string[]) =>
    workspace.runCli(["--resume", sessionId, "--rewind-files", id, ...more]);
  return { workspace, server, rewind, sessionId, id: String(prompt?.uuid), asked: () => server.turns().length };
};

test("the files of a session go back without a model, in words and as JSON, and a second time nothing is left to do", async () => {
  const { workspace, rewind, id, asked } = await changed();
  const before = asked();
  const first = await rewind(id);
  expect(first).toMatchObject({
    code: 0,
    stdout: `changed back: ${workspace.path("a.txt")} (+1 -1)\nremoved: ${workspace.path("new.txt")} (+0 -1)\n`,
    stderr: "",
  });
  expect([workspace.read("a.txt"), workspace.exists("new.txt")]).toEqual(["one\n", false]);
  const second = await rewind(id, "--output-format", "json");
  expect([second.code, JSON.parse(second.stdout)]).toEqual([
    0,
    { canRewind: true, filesChanged: [], insertions: 0, deletions: 0, notChanged: [], unknown: [] },
  ]);
  expect(asked()).toBe(before);
});

test("what somebody changed since stays and is named", async () => {
  const { workspace, rewind, id } = await changed();
  workspace.write("a.txt", "mine\n");
  const { code, stdout } = await rewind(id);
  expect([code, stdout.split("\n")[0]]).toEqual([
    0,
    `left as it is: ${workspace.path("a.txt")}: changed since, not by this session`,
  ]);
  expect(workspace.read("a.txt")).toBe("mine\n");
});

test("a wrong id changes nothing and says what is wrong", async () => {
  const { workspace, rewind, id } = await changed();
  const unknown = "00000000-0000-4000-8000-000000000000";
  const text = await rewind(unknown);
  expect(text).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("There is no checkpoint of the files"),
  });
  const json = await rewind(unknown, "--output-format", "json");
  expect([json.code, JSON.parse(json.stdout)]).toEqual([
    1,
    { canRewind: false, error: expect.stringContaining("There is no checkpoint of the files") },
  ]);
  const lonely = await workspace.runCli(["--rewind-files", id]);
  expect([lonely.code, lonely.stderr]).toEqual([
    1,
    expect.stringContaining("--rewind-files needs --resume or --continue"),
  ]);
  const elsewhere = await workspace.runCli(["--resume", unknown, "--rewind-files", id]);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining(unknown)]);
  expect([workspace.read("a.txt"), workspace.exists("new.txt")]).toEqual(["two\n", true]);
});
