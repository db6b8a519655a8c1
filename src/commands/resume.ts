// /resume: goes back to an earlier session.

import { isUuid } from "../protocol/ids.js";
import type { SessionRow } from "../protocol/pickers.js";
import { type CommandContext, type CommandResult, defineCommand } from "./command.js";
import { messageOf } from "./texts.js";

export const resume = defineCommand({
  name: "resume",
  aliases: ["continue"],
  description: "Go back to an earlier conversation",
  argumentHint: "[id or title]",
  run: async (args, context) => {
    const wanted = args.trim();
    const sessions = await context.sessions();
    if (wanted === "") {
      if (sessions.length === 0) return { kind: "text", text: "There is no earlier conversation in this folder" };
      return pickFrom(sessions, undefined, context);
    }
    const matches = sessions.filter(({ sessionId, title }) => sessionId === wanted || title === wanted);
    const id = matches.length === 1 ? matches[0]?.sessionId : isUuid(wanted) ? wanted : undefined;
    if (id === undefined) {
      if (matches.length > 1 || context.isInteractive) return pickFrom(sessions, wanted, context);
      return { kind: "text", text: `No conversation has the id or title "${wanted}"`, isError: true };
    }
    try {
      await context.resume(id);
      return { kind: "none" };
    } catch (error) {
      return { kind: "text", text: messageOf(error), isError: true };
    }
  },
});

const pickFrom = (sessions: SessionRow[], query: string | undefined, context: CommandContext): CommandResult => {
  if (context.isInteractive) return { kind: "picker", picker: { kind: "sessions", sessions, query } };
  const lines = sessions.map(({ sessionId, title }) => `${sessionId}  ${title}`);
  return { kind: "text", text: lines.join("\n"), isError: query !== undefined };
};
