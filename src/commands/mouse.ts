// /mouse: gives the mouse to the terminal, so that its own selection works, and takes it back.
import { defineCommand } from "./command.js";

export const mouse = defineCommand({
  name: "mouse",
  description: "Give the mouse to the terminal, or take it back",
  argumentHint: "[on|off]",
  isImmediate: true,
  run: async (args) => {
    const wanted = args.trim();
    if (wanted === "") return { kind: "screen", change: { mouse: "toggle" } };
    if (wanted === "on" || wanted === "off") return { kind: "screen", change: { mouse: wanted } };
    return { kind: "text", text: "Say /mouse on, /mouse off, or /mouse alone to switch.", isError: true };
  },
});
