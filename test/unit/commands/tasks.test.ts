// /tasks: a picker on the screen, lines without one.
import { expect, it } from "vitest";
import { tasks } from "../../../src/commands/tasks.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

it("/tasks opens the picker, headless it lists what runs", async () => {
  const rows = [{ id: "b1", kind: "shell" as const, title: "npm\n run dev", status: "running" as const, startedAt: 1 }];
  expect(await tasks.run("", fakeContext().context)).toEqual({ kind: "picker", picker: { kind: "tasks" } });
  const headless = fakeContext({ isInteractive: false, tasks: () => rows });
  expect(await tasks.run("", headless.context)).toEqual({ kind: "text", text: "b1  running  npm run dev" });
  expect(await tasks.run("", fakeContext({ isInteractive: false }).context)).toEqual({
    kind: "text",
    text: "Nothing runs in the background.",
  });
});
