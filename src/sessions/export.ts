// A conversation as plain text, for /export and for reading outside the terminal.
import type { Display } from "../protocol/display.js";
import type { EngineEvent } from "../protocol/events.js";
import { textOf } from "../protocol/messages.js";

const longestResult = 20; // lines of a result; the transcript has it whole

/** The conversation of replayed or live events: prompts, answers, calls with the head of their results. */
export const exportText = (events: readonly EngineEvent[]): string => {
  const parts = events.map(partOf).filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `${parts.join("\n\n")}\n`;
};

const partOf = (event: EngineEvent): string | undefined => {
  switch (event.type) {
    case "user_message":
      return event.isMeta ? undefined : prefixed("> ", event.shown);
    case "assistant_message": {
      const text = textOf(event.message.content).trim();
      return text === "" ? undefined : text;
    }
    case "tool_call":
      return `● ${event.name}(${event.title})`;
    case "tool_result":
      return indented(event.display === undefined ? textOf(event.content) : displayText(event.display), event.isError);
    case "command_output":
      return indented(event.text, event.isError);
    case "notice":
      return `[${event.text}]`;
    case "compact_boundary":
      return "--- conversation compacted ---";
    default:
      return undefined;
  }
};

const prefixed = (prefix: string, text: string): string =>
  text
    .split("\n")
    .map((line, index) => (index === 0 ? prefix : " ".repeat(prefix.length)) + line)
    .join("\n");

const indented = (text: string, isError: boolean): string | undefined => {
  const lines = text.trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return isError ? "  ⎿ (failed)" : undefined;
  const more = lines.length - longestResult;
  const shown = more > 0 ? [...lines.slice(0, longestResult), `… ${more} more lines`] : lines;
  return prefixed(isError ? "  ⎿ Error: " : "  ⎿ ", shown.join("\n"));
};

const displayText = (display: Display): string => {
  switch (display.kind) {
    case "text":
    case "markdown":
    case "matches":
    case "agent":
      return display.text;
    case "lines":
      return display.lines.join("\n");
    case "diff":
      return [
        `${display.path} (+${display.added} -${display.removed})`,
        ...display.hunks.flatMap(({ lines }) => lines),
      ].join("\n");
    case "paths":
      return display.paths.join("\n");
    case "shell":
      return display.output;
    case "todos":
      return display.todos.map(({ subject, status }) => `${status === "completed" ? "☒" : "☐"} ${subject}`).join("\n");
    case "image":
      return `[${display.label}]`;
    case "json":
      return JSON.stringify(display.value, null, 2) ?? "";
  }
};
