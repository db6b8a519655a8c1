// Screen slice: what commands change of the screen itself.
import type { ScreenChange } from "../../src/protocol/pickers.js";
import type { ScreenState } from "../app-state.js";

const switched = <T extends string>(now: T, wish: T | "toggle" | undefined, first: T, second: T): T =>
  wish === "toggle" ? (now === first ? second : first) : (wish ?? now);

/** The screen after a wish; what the wish leaves out stays. */
export const changeScreen = (
  screen: ScreenState,
  { theme, layout, mouse, editorMode, keybindings, copy }: ScreenChange,
): ScreenState => ({
  layout: switched(screen.layout, layout, "inline", "fullscreen"),
  mouse: mouse === "toggle" ? !screen.mouse : mouse === undefined ? screen.mouse : mouse === "on",
  theme: theme === undefined ? screen.theme : { name: theme },
  editorMode: switched(screen.editorMode, editorMode, "vim", "normal"),
  keybindings: keybindings === undefined ? screen.keybindings : {},
  copy: copy === undefined ? screen.copy : { text: copy },
});
