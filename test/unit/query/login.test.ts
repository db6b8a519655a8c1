// /login and /logout: another key in a session that goes on.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configDir } from "../../../src/platform/paths.js";
import type { EngineEvent } from "../../../src/protocol/events.js";
import type { Answer } from "../../../src/protocol/questions.js";
import { type EngineSession, engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const withoutEnvKey = { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" };

/** A workspace whose settings folder holds a stored key. */
const worldWithKey = async (status?: number) => {
  const answers = status === undefined ? [{ say: "Here." }] : [{ status }, { say: "Here." }];
  const world = await engineWorld({ answers });
  const folder = configDir(world.workspace.env());
  mkdirSync(folder, { recursive: true });
  const file = join(folder, ".credentials.json");
  writeFileSync(file, JSON.stringify({ apiKey: "sk-old-key" }), { mode: 0o600 });
  const session = await openEngine(world.workspace, { clock: handClock(), env: withoutEnvKey });
  return { ...world, file, session };
};

/** Types a command and answers the start question it asks. Gives what it printed. */
const command = async ({ engine }: EngineSession, text: string, answer?: Answer): Promise<string> => {
  const events: EngineEvent[] = [];
  for await (const event of engine.submit({ type: "prompt", text })) {
    events.push(event);
    if (event.type === "question" && answer) engine.answer(event.question.id, answer);
  }
  return events.flatMap((event) => (event.type === "command_output" ? [event.text] : [])).join("\n");
};

test("/login stores another key and the next request carries it", async () => {
  const { session, file, server } = await worldWithKey();
  const text = await command(session, "/login", { kind: "start", choice: "apiKey", apiKey: "sk-new-key" });
  expect(text).toMatch(/^The key was stored in the settings folder \(readable by you only\)\. Model: /);
  expect(JSON.parse(readFileSync(file, "utf8")).apiKey).toBe("sk-new-key");
  await session.prompt("hello");
  expect(server.turns()[0]?.headers["x-api-key"]).toBe("sk-new-key");
  await session.close();
});

test("/login refuses what cannot be a key, and leaving changes nothing", async () => {
  const { session, file } = await worldWithKey();
  const typed = { kind: "start", choice: "apiKey", apiKey: "two words here" } as const;
  expect(await command(session, "/login", typed)).toBe("A key has no blanks or line breaks in it.");
  expect(await command(session, "/login", { kind: "start", choice: "leave" })).toBe("Nothing was changed.");
  expect(JSON.parse(readFileSync(file, "utf8")).apiKey).toBe("sk-old-key");
  await session.close();
});

test("/logout removes the stored key and says how to get another one", async () => {
  const { session, file } = await worldWithKey();
  expect(await command(session, "/logout")).toBe("The stored key was removed. /login asks for another one.");
  expect(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}).toEqual({});
  expect(await command(session, "/logout")).toBe("No key was stored. /login asks for another one.");
  await session.close();
});

test("a stored key that the API refuses is followed by the way to replace it", async () => {
  const { session } = await worldWithKey(401);
  expect((await session.prompt("hello"))?.text).toContain("/login replaces it.");
  await session.close();
});
