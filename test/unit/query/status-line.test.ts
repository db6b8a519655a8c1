// The status line's command: what it is told, when it may run, what becomes of one that fails or is overtaken.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const ask = { type: "status_line" as const, columns: 90, rows: 30 };
const lineOf = (command: string) => ({ settings: { statusLine: { type: "command", command } } });

test("the command reads the session as JSON and knows the size of the screen", async () => {
  const { workspace } = await engineWorld({}, lineOf("cat; echo; echo $COLUMNS $LINES"));
  const { send, events } = await openEngine(workspace, { clock: handClock(), trusts: true });
  await send({ ...ask, vim: "NORMAL" });
  const event = events.findLast(({ type }) => type === "status_line");
  const lines = event?.type === "status_line" ? event.lines : [];
  expect(lines[1]).toBe("90 30");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    cwd: workspace.project,
    version: "0.0.0-test",
    output_style: { name: "default" },
    context_window: { used_percentage: 0, current_usage: null },
    cost: { total_lines_added: 0 },
    vim: { mode: "NORMAL" },
  });
  expect(JSON.parse(lines[0] ?? "")).not.toHaveProperty("session_name");
});

test("a command that fails is told with its reason and shows nothing", async () => {
  const { workspace } = await engineWorld({}, lineOf("echo half; echo broken >&2; exit 3"));
  const { send, events } = await openEngine(workspace, { clock: handClock(), trusts: true });
  await send(ask);
  expect(events.at(-1)).toEqual({
    type: "status_line",
    lines: [],
    problem: "The status line's command failed: exit code 3: broken",
  });
});

test("a newer run gives up the one that goes on: one answer comes", async () => {
  const { workspace } = await engineWorld({}, lineOf('if [ "$COLUMNS" = 1 ]; then exec sleep 60; fi; echo new'));
  const { send, events } = await openEngine(workspace, { clock: handClock(), trusts: true });
  const first = send({ ...ask, columns: 1 });
  await send(ask);
  await first;
  const lines = events.flatMap((event) => (event.type === "status_line" ? [event.lines] : []));
  expect(lines).toEqual([["new"]]);
});

test("disableAllHooks turns it off", async () => {
  const { workspace } = await engineWorld(
    {},
    {
      settings: { disableAllHooks: true, statusLine: { type: "command", command: "touch ran" } },
    },
  );
  const { send, events } = await openEngine(workspace, { clock: handClock(), trusts: true });
  await send(ask);
  expect(events.at(-1)).toEqual({ type: "status_line", lines: [] });
  expect(existsSync(join(workspace.project, "ran"))).toBe(false);
});

test("/add-dir, /effort and /copy change and read the session", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "Hello there." }] });
  const { prompt, engine, events } = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  const said = () => {
    const event = events.findLast(({ type }) => type === "command_output");
    return event?.type === "command_output" ? event.text : "";
  };
  await prompt("hi");
  await prompt("/copy");
  expect(said()).toBe("Hello there.");
  await prompt("/add-dir ../nowhere");
  expect(said()).toContain("there is no folder");
  await prompt(`/add-dir ${workspace.home}`);
  expect(said()).toContain("is a working folder for this session");
  await prompt("/effort max");
  expect(engine.session().effort).toBe("max");
  await prompt("/effort low");
  expect(engine.session().effort).toBe("low");
  await prompt("/effort auto");
  expect(engine.session().effort).not.toBe("low");
});
