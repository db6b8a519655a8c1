// ViewerPane: what stands under the transcript while the viewer is open: the search field or the keys. Takes all keys.
import { Box, Text } from "ink";
import { useStore } from "zustand";
import { sanitise } from "../../src/lib/sanitise.js";
import { padToWidth } from "../../src/lib/text-width.js";
import { columns } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { keyFor, keymapStore, viewerAction, viewerKeys } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { fitting } from "../ui/fitting.js";
import { TextInput } from "../ui/TextInput.js";
import { useViewerActions } from "./use-viewer-actions.js";

/** The keys on two columns. */
const keyRows = (width: number): string[] => {
  const cells = viewerKeys().map(({ keys, description }) => `${padToWidth(keys, 8)} ${description}`);
  const half = Math.max(20, Math.floor((width - 4) / 2));
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += 2) rows.push(`  ${padToWidth(cells[at]!, half)}${cells[at + 1] ?? ""}`);
  return rows;
};

const useViewerKeys = (): void => {
  const { viewer, now } = useServices();
  const perform = useViewerActions();
  const onField = (press: KeyPress): void => {
    const { field } = viewer.store.getState();
    if (press.id === "esc") viewer.setField(null);
    else if (press.id === "enter") viewer.search();
    else {
      const action = fieldAction(press, now());
      if (action) viewer.setField(reduceEditor(field ?? emptyEditor, action));
    }
  };
  useKeys({
    context: "overlay",
    onKey: (press) => {
      if (viewer.store.getState().field) onField(press);
      else {
        const action = viewerAction(press.id);
        if (action) perform(action);
      }
      return true;
    },
    onPaste: (text) => {
      const { field } = viewer.store.getState();
      if (field) viewer.setField(reduceEditor(field, { type: "insert", text: oneLine(text), at: now() }));
      return true;
    },
  });
};

/** Where the reader is, what was found, and whether somebody waits for an answer. */
const useStatus = (): { text: string; isUrgent: boolean } => {
  const { viewer } = useServices();
  const { query, matches, match } = useStore(viewer.store);
  useAppState((state) => state.transcript.rev);
  const waiting = useAppState((state) => state.questions.length);
  if (waiting > 0) return { text: "A question waits for you · q goes there", isUrgent: true };
  const { index, count } = viewer.model.position;
  const found =
    query === "" ? "" : matches === 0 ? ` · no match for ${sanitise(query)}` : ` · match ${match} of ${matches}`;
  return { text: `Transcript ${index} of ${count}${found}`, isUrgent: false };
};

export const ViewerPane = () => {
  const theme = useTheme();
  const { viewer } = useServices();
  const width = useAppState(columns);
  const { field, showKeys, query, isShort } = useStore(viewer.store);
  const status = useStatus();
  useStore(keymapStore);
  useViewerKeys();
  const left = `  ${status.text}`;
  const hints =
    query === ""
      ? [
          "q leaves",
          "/ searches",
          "? keys",
          ...(isShort ? [`${keyFor("transcript:toggleShowAll")} shows all`] : []),
          "{ } prompts",
          "v editor",
        ]
      : ["q leaves", "n N next, before", "? keys"];
  const right = fitting(hints, Math.max(0, width - left.length - 4));
  return (
    <Box flexDirection="column" flexShrink={0} width={width}>
      <Text wrap="truncate" {...theme.ink("promptBorder")}>
        {"─".repeat(width)}
      </Text>
      {showKeys && (
        <Text wrap="truncate" {...theme.ink("dim")}>
          {keyRows(width).join("\n")}
        </Text>
      )}
      {field ? (
        <Box>
          <Text {...theme.ink("accent")}>{"/ "}</Text>
          <TextInput
            editor={field}
            width={Math.max(4, width - 2)}
            isActive
            placeholder="enter searches, esc goes back"
          />
        </Box>
      ) : (
        <Text wrap="truncate">
          <Text {...theme.ink(status.isUrgent ? "warning" : "strong")}>{left}</Text>
          <Text
            {...theme.ink("dim")}
          >{`${" ".repeat(Math.max(2, width - left.length - right.length - 2))}${right}`}</Text>
        </Text>
      )}
    </Box>
  );
};
