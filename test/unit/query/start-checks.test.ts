// What refuses a start, and what is only told.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionFlags } from "../../../src/query/engine-options.js";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const id = "3f0c9f6e-1111-4222-8333-944445555666";

const exitOf = async (flags: SessionFlags): Promise<unknown> => {
  const { workspace } = await engineWorld({ answers: [{ say: "Never." }] });
  const { events, close } = await openEngine(workspace, { clock: handClock(), flags, isInteractive: false });
  await close();
  return events.find(({ type }) => type === "exit");
};

const exit = (message: string) => ({ type: "exit", code: 1, message });

test.each<[SessionFlags, string]>([
  [{ allowedTools: ["Bash(rm"] }, '--allowedTools: this is no rule: "Bash(rm" lacks its closing parenthesis.'],
  [
    { disallowedTools: ["Bash()"] },
    '--disallowedTools: this is no rule: "Bash()" has nothing between its parentheses; write Bash for every use.',
  ],
  [{ tools: ["Read", "Gerp"] }, "--tools: there is no tool named Gerp. Did you mean Grep?"],
])("the flags %j refuse the start", async (flags, message) => {
  expect(await exitOf(flags)).toEqual(exit(message));
});

test("tools by their other names, none, and those of servers start", async () => {
  expect(await exitOf({ tools: ["Read", "Task", "mcp__files__list"] })).toBeUndefined();
  expect(await exitOf({ tools: [] })).toBeUndefined();
});

test("a folder of the settings that is missing and a deny rule for a tool that does not exist are told", async () => {
  const settings = { permissions: { additionalDirectories: ["/no/such/place"], deny: ["Bahs(rm *)"] } };
  const { workspace } = await engineWorld({ answers: [{ say: "Here." }] }, { settings });
  const { events, close } = await openEngine(workspace, { clock: handClock() });
  await close();
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join("\n");
  expect(notices).toContain("permissions.additionalDirectories: there is no folder /no/such/place");
  expect(notices).toContain("Bahs(rm *): there is no tool named Bahs");
});

test("an id that has a conversation is refused, and a fork takes the id it was given", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }, { say: "Two." }] });
  const other = "4f0c9f6e-1111-4222-8333-944445555666";
  const open = (flags: SessionFlags) => openEngine(workspace, { clock: handClock(), flags });
  const first = await open({ sessionId: id });
  await first.prompt("hello");
  await first.close();
  const second = await open({ sessionId: id });
  await second.close();
  expect(second.events.find(({ type }) => type === "exit")).toEqual(
    exit(`--session-id ${id}: this id is in use: use --resume ${id} to go on with it.`),
  );
  const fork = await open({ sessionId: other, resume: id, forkSession: true });
  expect(fork.engine.session().sessionId).toBe(other);
  await fork.close();
});

test("on the screen --continue names the session of -p that it does not take", async () => {
  const { workspace } = await engineWorld({ answers: [] });
  const { projectDir } = await import("../../../src/platform/paths.js");
  const folder = projectDir(workspace.env(), workspace.project);
  mkdirSync(folder, { recursive: true });
  const line = {
    type: "user",
    uuid: id,
    parentUuid: null,
    sessionId: id,
    cwd: workspace.project,
    entrypoint: "sdk-cli",
    message: { role: "user", content: "hi" },
  };
  writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
  const { events, close } = await openEngine(workspace, { clock: handClock(), flags: { continue: true } });
  await close();
  expect(events.find(({ type }) => type === "exit")).toEqual(
    exit(`There is no conversation to continue in ${workspace.project}, only sessions of -p: claude --resume ${id}`),
  );
});
