// /exit: ends the session.
import { defineCommand } from "./command.js";

export const exit = defineCommand({
  name: "exit",
  aliases: ["quit"],
  description: "Leave; the conversation can be resumed",
  isImmediate: true,
  run: async () => ({ kind: "exit", code: 0 }),
});
