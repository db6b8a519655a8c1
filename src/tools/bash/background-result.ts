// What the model reads when a command goes on in the background.
import { formatBytes } from "../../platform/fs.js";
import type { ToolResult } from "../tool.js";
import type { CommandEnd } from "./run-command.js";

/** The result of a call whose command goes on. */
export const backgroundResult = (
  { shell, why }: Extract<CommandEnd, { kind: "background" }>,
  { notes, timeoutMs }: { notes: readonly string[]; timeoutMs: number },
): ToolResult => {
  const reasons = {
    model: "The command runs in the background",
    person: "The person moved the command to the background; it goes on there",
    timeout: `The command did not finish within ${Math.round(timeoutMs / 100) / 10} s and goes on in the background`,
  };
  const soFar = shell.totalBytes > 0 ? ` It has printed ${formatBytes(shell.totalBytes)} so far.` : "";
  const content = [
    `${reasons[why]} as task ${shell.id}. Its output goes to ${shell.outputPath} (read it with Read, or with TaskOutput).${soFar}`,
    "You are told when it ends; TaskStop ends it.",
    ...notes,
  ].join("\n");
  return {
    content,
    display: { kind: "text", text: `Runs in the background as ${shell.id} · /tasks` },
    structured: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      backgroundTaskId: shell.id,
      ...(why === "person" ? { backgroundedByUser: true } : {}),
      ...(why === "timeout" ? { timedOutAfterMs: timeoutMs } : {}),
    },
  };
};
