// /keybindings: opens the person's own key bindings in their editor; the file is written first where there is none.
import { defineCommand } from "./command.js";

export const keybindings = defineCommand({
  name: "keybindings",
  description: "Change the keys",
  isImmediate: true,
  run: async () => ({ kind: "screen", change: { keybindings: "edit" } }),
});
