// The output file of an agent in the background: what it says and calls, line by line, then its report.
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { EngineEvent } from "../protocol/events.js";

export interface AgentLog {
  /** Notes what is worth reading of an event. Never throws. */
  add(event: EngineEvent): void;
  /** Writes the report and waits until everything is on disk. */
  end(report: string): Promise<void>;
}

const textOf = (event: EngineEvent): string | undefined => {
  if (event.type === "tool_call") return `● ${event.name} ${event.title}`.trimEnd();
  if (event.type === "tool_result" && event.isError) return `✗ ${event.name} failed`;
  if (event.type === "compact_boundary") return `(compacted ${event.preTokens} to ${event.postTokens} tokens)`;
  if (event.type !== "assistant_message") return undefined;
  const text = event.message.content.map((block) => ("text" in block ? String(block.text) : "")).join("");
  return text.trim() === "" ? undefined : text.trim();
};

/** Opens the file (mode 0600). A disk that cannot be written loses the log, never the agent. */
export const openAgentLog = async (path: string): Promise<AgentLog> => {
  let last: Promise<unknown> = mkdir(dirname(path), { recursive: true, mode: 0o700 })
    .then(() => writeFile(path, "", { mode: 0o600 }))
    .catch(() => undefined);
  await last;
  const append = (text: string) => {
    last = last.then(() => appendFile(path, `${text}\n`)).catch(() => undefined);
  };
  return {
    add: (event) => {
      const text = textOf(event);
      if (text !== undefined) append(text);
    },
    end: async (report) => {
      append(`\n--- report ---\n${report}`);
      await last;
    },
  };
};
