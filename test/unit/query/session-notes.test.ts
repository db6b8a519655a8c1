// Session memory over the end of a process: what is on disk when the session has closed, and what the next process makes of it.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import { commandHook, noticesOf, textsOf } from "../../helpers/hook-kit.js";
import type { RequestBody } from "../../helpers/model-server.js";
import { readTranscript } from "../../helpers/scenario.js";

const asksNotes = (body: RequestBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes("Write notes of this session now");
const asksSummary = (body: RequestBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes("write a summary of this conversation");
const flags = { model: "claude-haiku-4-5" }; // a window of 200k
const boundaries = ({ events }: EngineSession) => events.filter((event) => event.type === "compact_boundary");

/** A session that has grown so far that notes were asked for, and how far it can still grow. */
const noted = async () => {
  const { workspace, server } = await engineWorld(
    {
      sideAnswers: [{ when: ({ body }) => asksNotes(body), answers: [{ say: "## State\nnoted" }] }],
    },
    { files: { "a.txt": "five words are in it\n".repeat(1_900) } },
  );
  const clock = handClock();
  const session = await openEngine(workspace, { clock, flags });
  const { sessionId } = session.engine.session();
  const folder = join(
    workspace.configDir,
    "projects",
    workspace.project.replace(/[^a-zA-Z0-9]/g, "-"),
    sessionId,
    "session-memory",
  );
  server.push(
    { calls: [{ Read: { file_path: workspace.path("a.txt") } }], usage: { input_tokens: 20_000 } },
    { calls: [{ Read: { file_path: workspace.path("a.txt"), limit: 2 } }], usage: { input_tokens: 120_000 } },
    { say: "read", usage: { input_tokens: 166_500 } },
  );
  await session.prompt("read it");
  return { workspace, server, clock, session, sessionId, folder };
};

test("notes outlive the process: after a resume they serve as the summary, without another call", async () => {
  const { workspace, server, clock, session, sessionId, folder } = await noted();
  await expect.poll(() => existsSync(join(folder, "notes.md"))).toBe(true);
  await session.close();
  const again = await openEngine(workspace, { clock, flags: { ...flags, resume: sessionId } });
  server.push({ say: "back", usage: { input_tokens: 166_500 } }, { say: "fine", usage: { input_tokens: 20_000 } });
  await again.prompt("hello again");
  await again.prompt(`and now? ${"more words ".repeat(300)}`);
  expect(boundaries(again)).toHaveLength(1);
  const sent = textsOf(server.turns().at(-1)!.body);
  expect(sent).toContain("## State\nnoted");
  expect(sent).toContain("and now?");
  expect(server.requests.filter(({ body }) => asksSummary(body))).toEqual([]);
  await again.close();
  // A third process reads what was kept behind the summary.
  const third = await openEngine(workspace, { clock, flags: { ...flags, resume: sessionId } });
  server.push({ say: "still fine" });
  await third.prompt("and then?");
  // The same conversation, without the marks of the cache and with what came since.
  const plain = (body: RequestBody | undefined) =>
    (body?.messages ?? []).map(
      ({ role, content }) => `${role}: ${textsOf({ messages: [{ role, content }] } as RequestBody)}`,
    );
  const before = plain(server.turns().at(-2)?.body);
  expect(plain(server.turns().at(-1)?.body).slice(0, before.length)).toEqual(before);
  expect(before.join("\n")).toContain("hello again");
  expect(server.violations).toEqual([]);
  await third.close();
});

test("notes of what was rewound or compacted since are not taken up again", async () => {
  const { workspace, server, clock, session, sessionId, folder } = await noted();
  await expect.poll(() => existsSync(join(folder, "notes.md"))).toBe(true);
  server.push({ say: "## State\nby hand" });
  await session.prompt("/compact everything about five words");
  await session.close();
  const again = await openEngine(workspace, { clock, flags: { ...flags, resume: sessionId } });
  server.push({ say: "fine" }, { say: "## State\nsecond" });
  await again.prompt("and now?");
  await again.prompt("/compact");
  expect(server.requests.filter(({ body }) => asksSummary(body))).toHaveLength(2);
  await again.close();
});

test("a session that closes while notes are written waits for them: nothing is half there, nothing is said", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  const { workspace, session, folder } = await noted();
  await session.close();
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const isRecorded = readTranscript(workspace).some(({ type }) => type === "session-notes");
  expect(files).toEqual(isRecorded ? ["notes.md"] : []);
  if (isRecorded) expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("## State\nnoted\n");
  rmSync(workspace.configDir, { recursive: true });
  await new Promise(setImmediate);
  expect(told.mock.calls).toEqual([]);
});

test("a PreCompact hook that refuses is no failure: it is asked again each turn, told once, and when it agrees it happens", async () => {
  const { workspace, server } = await engineWorld(
    { sideAnswers: [{ when: ({ body }) => asksNotes(body), answers: [{ say: "" }] }] },
    {
      settings: {
        hooks: { PreCompact: [commandHook('[ -e "$CLAUDE_PROJECT_DIR/ok" ] || { echo "not now" >&2; exit 2; }')] },
      },
    },
  );
  const session = await openEngine(workspace, { clock: handClock(), flags });
  const full = { usage: { input_tokens: 170_000 } };
  server.push({ say: "hello", ...full });
  await session.prompt(`hi ${"many words ".repeat(40_000)}`);
  for (let turn = 0; turn < 4; turn += 1) {
    server.push({ say: `turn ${turn}`, ...full });
    await session.prompt(`more ${turn}`);
  }
  expect(boundaries(session)).toEqual([]);
  expect(noticesOf(session).filter((text) => text.includes("not now"))).toHaveLength(1);
  expect(noticesOf(session).join("\n")).not.toContain("three times");
  workspace.write("ok", "");
  server.push({ say: "## State\nsummed up" }, { say: "small again" });
  await session.prompt("go on");
  expect(boundaries(session)).toHaveLength(1);
  expect(server.violations).toEqual([]);
  await session.close();
});
