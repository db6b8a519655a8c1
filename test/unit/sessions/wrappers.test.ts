import { expect, test } from "vitest";
import { commandOutputTag, commandTags, shownText } from "../../../src/sessions/wrappers.js";

test.each([
  ["plain text", { kind: "prompt", text: "plain text" }],
  ["a < b and <b>html</b>", { kind: "prompt", text: "a < b and <b>html</b>" }],
  ["  \n", { kind: "hidden", text: "  \n" }],
  ["<system-reminder>date</system-reminder>\nhello", { kind: "prompt", text: "hello" }],
  ["<system-reminder>date</system-reminder>", { kind: "hidden", text: "" }],
  [commandTags("model", "opus"), { kind: "prompt", text: "/model opus" }],
  ["<command-name>/clear</command-name><command-args></command-args>", { kind: "prompt", text: "/clear" }],
  [commandOutputTag("done"), { kind: "output", text: "done", isError: false }],
  ["<local-command-stderr>no</local-command-stderr>", { kind: "output", text: "no", isError: true }],
  [commandOutputTag(""), { kind: "hidden", text: "", isError: false }],
  ["<bash-input>ls</bash-input>", { kind: "prompt", text: "! ls" }],
  ["<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>", { kind: "output", text: "a\nb", isError: false }],
  ["<local-command-caveat>x</local-command-caveat>", { kind: "hidden", text: "" }],
  [
    "<task-notification><task-id>1</task-id><summary>It ended</summary></task-notification>",
    { kind: "notice", text: "It ended" },
  ],
])("%s is shown as a person should see it", (source, expected) => {
  expect(shownText(source)).toEqual(expected);
});
