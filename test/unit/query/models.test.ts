// Which model a session talks to when nobody knows its name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configDir } from "../../../src/platform/paths.js";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

test("an unknown model is used for this session only and a near name is told, a known one is kept", async () => {
  const { workspace } = await engineWorld({ answers: [] });
  const { engine, events, send, close } = await openEngine(workspace, { clock: handClock() });
  const saved = (): unknown => {
    try {
      return JSON.parse(readFileSync(join(configDir(workspace.env()), "settings.json"), "utf8")).model;
    } catch {
      return undefined; // nothing was ever saved
    }
  };
  await send({ type: "prompt", text: "/model sonet" });
  expect(engine.session().model).toBe("sonet");
  expect(saved()).toBeUndefined();
  expect(events.findLast(({ type }) => type === "notice")).toMatchObject({
    level: "warning",
    text: '"sonet" is no model that is known here. Did you mean sonnet? It is used for this session only.',
  });
  await send({ type: "prompt", text: "/model haiku" });
  expect(saved()).toBe("haiku");
  await close();
});

test("without credentials a start with an unknown model names both problems", async () => {
  const { workspace } = await engineWorld({ answers: [] });
  const { prompt, close } = await openEngine(workspace, {
    clock: handClock(),
    env: { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" },
    flags: { model: "nonsense" },
    isInteractive: false,
  });
  const outcome = await prompt("hello");
  await close();
  expect(outcome?.text).toContain("No credentials were found.");
  expect(outcome?.text).toContain('"nonsense" is no model that is known here.');
});

test("a resumed session knows at once how full its context is", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "One." }] });
  const first = await openEngine(workspace, { clock: handClock() });
  await first.prompt("hello");
  await first.close();
  const counted = first.events.findLast((event) => event.type === "usage");
  const second = await openEngine(workspace, { clock: handClock(), flags: { continue: true } });
  await second.close();
  expect(counted?.contextTokens).toBeGreaterThan(0);
  expect(second.events.findLast((event) => event.type === "usage")?.contextTokens).toBe(counted?.contextTokens);
});
