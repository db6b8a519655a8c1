// /vim: keys of vim in the prompt, or the ordinary ones. Kept in the user's settings as editorMode.
import { defineCommand } from "./command.js";

export const vim = defineCommand({
  name: "vim",
  description: "Keys of vim in the prompt, or back",
  argumentHint: "[on|off]",
  isImmediate: true,
  run: async (args) => {
    const wanted = args.trim();
    if (wanted === "") return { kind: "screen", change: { editorMode: "toggle" } };
    if (wanted === "on") return { kind: "screen", change: { editorMode: "vim" } };
    if (wanted === "off") return { kind: "screen", change: { editorMode: "normal" } };
    return { kind: "text", text: "Say /vim on, /vim off, or /vim alone to switch.", isError: true };
  },
});
