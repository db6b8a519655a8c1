// Lines that tell SDK hosts of background commands: their start (from the call's result) and their end.
import type { EventOf } from "../protocol/events.js";
import { textOf } from "../protocol/messages.js";

type Line = Record<string, unknown>;

/** A call whose command goes on in the background; none for every other result. `title`: the call's, its command. */
export const taskStartedLines = (event: EventOf<"tool_result">, title: string): Line[] => {
  const { structured } = event;
  if (typeof structured !== "object" || structured === null || !("backgroundTaskId" in structured)) return [];
  return [
    {
      type: "system",
      subtype: "task_started",
      task_id: structured.backgroundTaskId,
      tool_use_id: event.id,
      description: title,
      task_type: "local_bash",
    },
  ];
};

const inside = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1];

/** The ends of background tasks that a message tells the model. */
export const taskEndLines = (event: EventOf<"user_message">): Line[] => {
  const text = event.isMeta ? textOf(event.content) : "";
  return [...text.matchAll(/<task-notification>([\s\S]*?)<\/task-notification>/g)].map(([, body = ""]) => {
    const status = inside(body, "status");
    return {
      type: "system",
      subtype: "task_notification",
      task_id: inside(body, "task-id"),
      tool_use_id: inside(body, "tool-use-id"),
      status: status === "killed" ? "stopped" : status,
      output_file: inside(body, "output-file"),
      summary: inside(body, "summary"),
    };
  });
};
