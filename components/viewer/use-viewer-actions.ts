// What each key of the viewer does.
import { useMemo } from "react";
import { useServices } from "../app-context.js";
import type { ViewerAction } from "../keys/keymap.js";
import { emptyEditor } from "../prompt/editor.js";

const failedMs = 5_000;

/** The performer of viewer actions. */
export const useViewerActions = (): ((action: ViewerAction) => void) => {
  const { viewer, editOutside, printOut, actions } = useServices();
  return useMemo(() => {
    const edit = async (): Promise<void> => {
      try {
        await editOutside?.(viewer.text());
      } catch (error) {
        actions.hint(error instanceof Error ? error.message : String(error), failedMs);
      }
    };
    const print = async (): Promise<void> => {
      await printOut?.(viewer.text());
      actions.hint(printOut ? "printed into the terminal's scrollback" : "nothing can be printed here", failedMs);
    };
    const table: Record<ViewerAction, () => void> = {
      leave: viewer.close,
      search: () => viewer.setField(emptyEditor),
      nextMatch: () => viewer.step(1),
      previousMatch: () => viewer.step(-1),
      lineDown: () => viewer.move((model) => model.scrollBy(1)),
      lineUp: () => viewer.move((model) => model.scrollBy(-1)),
      halfDown: () => viewer.move((model) => model.page(1)),
      halfUp: () => viewer.move((model) => model.page(-1)),
      pageDown: () => viewer.move((model) => model.page(1, 1)),
      pageUp: () => viewer.move((model) => model.page(-1, 1)),
      top: () => viewer.move((model) => model.toTop()),
      bottom: () => viewer.move((model) => model.toEnd()),
      previousPrompt: () => viewer.toPrompt(-1),
      nextPrompt: () => viewer.toPrompt(1),
      edit: () => void edit(),
      print: () => void print(),
      showAll: viewer.toggleShort,
      keys: viewer.toggleKeys,
    };
    return (action) => table[action]();
  }, [viewer, editOutside, printOut, actions]);
};
