// Screen slice: what commands change of the screen itself.
import type { ScreenChange } from "../../src/protocol/pickers.js";
import type { ScreenState } from "../app-state.js";

/** The screen after a wish; what the wish leaves out stays. */
export const changeScreen = (screen: ScreenState, { theme, layout, mouse }: ScreenChange): ScreenState => ({
  layout: layout === "toggle" ? (screen.layout === "inline" ? "fullscreen" : "inline") : (layout ?? screen.layout),
  mouse: mouse === "toggle" ? !screen.mouse : mouse === undefined ? screen.mouse : mouse === "on",
  theme: theme === undefined ? screen.theme : { name: theme },
});
