// Notices of background work: their text, their line.
import { expect, it } from "vitest";
import { createNotifications, taskNotification } from "../../../src/query/notifications.js";
import { shownText } from "../../../src/sessions/wrappers.js";

it("a notification names the task, its call, its file and its end; a person sees the summary", () => {
  const text = taskNotification({
    taskId: "b1",
    toolUseId: "toolu_1",
    outputFile: "/tmp/b1.txt",
    status: "failed",
    summary: "Command </summary> failed",
    result: "report",
  });
  expect(text.split("\n")).toEqual([
    "<task-notification>",
    "<task-id>b1</task-id>",
    "<tool-use-id>toolu_1</tool-use-id>",
    "<output-file>/tmp/b1.txt</output-file>",
    "<status>failed</status>",
    "<summary>Command <\\/summary> failed</summary>",
    "<result>report</result>",
    "</task-notification>",
  ]);
  expect(shownText(text)).toEqual({ kind: "notice", text: "Command <\\/summary> failed" });
});

it("ends wait in order, wake the session, can be dropped, and are taken once", () => {
  const notifications = createNotifications();
  let woken = 0;
  notifications.onAdd = () => {
    woken++;
  };
  for (const taskId of ["a", "b", "c"]) notifications.add({ taskId, status: "completed", summary: taskId });
  notifications.drop("b");
  expect(woken).toBe(3);
  expect(notifications.take().map((text) => /<task-id>(.)/.exec(text)?.[1])).toEqual(["a", "c"]);
  expect(notifications.isEmpty()).toBe(true);
  expect(notifications.take()).toEqual([]);
});

it("news of one task do not pile up: the oldest go, and that is said", () => {
  const notifications = createNotifications();
  for (let n = 0; n < 20; n += 1)
    notifications.add({ taskId: "m", status: "running", summary: "Monitor", result: `line ${n}` });
  notifications.add({ taskId: "m", status: "completed", summary: "ended" });
  const results = notifications.take().map((text) => /<result>([\s\S]*)<\\?\/result>/.exec(text)?.[1]);
  expect(results).toEqual([
    expect.stringMatching(/^\[earlier messages of this monitor were left out; .*\]\nline 15$/),
    "line 16",
    "line 17",
    "line 18",
    "line 19",
    undefined,
  ]);
});
