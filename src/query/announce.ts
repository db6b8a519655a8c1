// Tells everybody what the session is now, and which commands it has.
import { allCommands } from "../commands/index.js";
import type { Emit } from "../execution/context.js";
import type { CommandRow } from "../protocol/pickers.js";
import { updateLive } from "./live-session.js";
import { type Session, sessionInfo } from "./session.js";

/** The commands as menus and /help show them: ours, then the prompts of MCP servers. */
export const commandRows = ({ mcp }: Pick<Session, "mcp">): CommandRow[] => [
  ...allCommands.map(({ name, aliases, description, argumentHint }) => ({
    name,
    aliases: [...aliases],
    description,
    argumentHint,
    source: "built-in",
  })),
  ...(mcp?.servers.prompts() ?? []).map(({ fullName, description, args, server }) => ({
    name: fullName,
    aliases: [],
    description: description || `Prompt of the MCP server ${server}`,
    ...(args.length > 0 ? { argumentHint: args.map(({ name }) => `<${name}>`).join(" ") } : {}),
    source: `mcp ${server}`,
  })),
];

/** Tells everybody what the session is now. */
export const announce = (
  session: Session,
  reason: "open" | "clear" | "resume" | "change",
  emit: Emit,
): Promise<void> => {
  updateLive(session);
  return emit({ type: "session", session: sessionInfo(session, commandRows(session)), reason });
};
