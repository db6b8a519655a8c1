// /tui: between the full screen and the terminal's own scrollback, while the conversation stays.
import { defineCommand } from "./command.js";

export const tui = defineCommand({
  name: "tui",
  description: "Full screen, or lines in the terminal's own scrollback",
  argumentHint: "[default|fullscreen]",
  isImmediate: true,
  run: async (args) => {
    const wanted = args.trim();
    if (wanted === "") return { kind: "screen", change: { layout: "toggle" } };
    if (wanted === "fullscreen") return { kind: "screen", change: { layout: "fullscreen" } };
    if (wanted === "default" || wanted === "inline") return { kind: "screen", change: { layout: "inline" } };
    return { kind: "text", text: "Say /tui default, /tui fullscreen, or /tui alone to switch.", isError: true };
  },
});
