// Hooks in a test: settings with commands, and a log of what each was told.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "../../src/protocol/events.js";
import type { EngineSession } from "./engine-session.js";
import type { RequestBody } from "./model-server.js";
import type { Workspace } from "./workspace.js";

type Handler = Record<string, unknown>;

/** A group of one command for an event; more fields of the handler behind it. */
export const commandHook = (command: string, matcher?: string, more: Handler = {}) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command", command, ...more }],
});

/** Appends its input to the file `hooks.log` beside the project, and does no more. */
export const logInput = 'cat >> "$CLAUDE_PROJECT_DIR/../hooks.log"';

/** A handler that prints this JSON. */
export const saysJson = (value: unknown): string => `cat > /dev/null; printf '%s' '${JSON.stringify(value)}'`;

/** What hooks with `logInput` were told, in order. */
export const hookLog = ({ root }: Workspace): Record<string, unknown>[] => {
  const file = join(root, "hooks.log");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Notices of a session, in order. */
export const noticesOf = ({ events }: Pick<EngineSession, "events">): string[] =>
  events.flatMap((event: EngineEvent) => (event.type === "notice" ? [event.text] : []));

/** All text of a request's messages. */
export const textsOf = (body: RequestBody): string =>
  body.messages
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map((block) => String(block.text ?? block.content ?? "")),
    )
    .join("\n");
