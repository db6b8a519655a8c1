// HooksPicker: the hooks in force, to look at: events, their matchers, the handlers of one, and all about a handler.
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox, type ListRow } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";
import { pageRows } from "./Page.js";
import { usePickerSize, walkList } from "./picker-frame.js";

export type HooksData = Extract<Picker, { kind: "hooks" }>;

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ");

const countText = (count: number): string => `${count} ${count === 1 ? "hook" : "hooks"}`;

/** The rows at the end of a path: events, matchers of an event, handlers of a matcher. */
export const hookRows = ({ events }: HooksData, path: readonly number[]): ListRow[] => {
  const event = events[path[0] ?? -1];
  if (!event)
    return events.map(({ name, matchers }) => ({
      id: name,
      label: name,
      detail: countText(matchers.reduce((sum, { handlers }) => sum + handlers.length, 0)),
    }));
  const group = event.matchers[path[1] ?? -1];
  if (!group)
    return event.matchers.map(({ matcher, handlers }) => ({
      id: matcher,
      label: matcher === "" ? "everything" : oneLine(matcher),
      detail: countText(handlers.length),
    }));
  return group.handlers.map(({ text, source }, at) => ({ id: String(at), label: oneLine(text), detail: source }));
};

const titleOf = ({ events }: HooksData, [event, matcher]: readonly number[]): string => {
  const found = events[event ?? -1];
  const name = found?.matchers[matcher ?? -1]?.matcher;
  return ["Hooks", ...(found ? [found.name] : []), ...(name ? [oneLine(name)] : [])].join(" › ");
};

/** By the length of the path. */
const footers = [
  "change them in the settings files · enter opens · esc closes",
  "enter opens · esc goes back",
  "enter opens · esc goes back",
];

const levels = 3; // a path this long stands at one handler

export const HooksPicker = ({ data }: { data: HooksData }) => {
  const theme = useTheme();
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ path: [] as number[], focus: 0 }));
  const height = bodyRows(0);
  const { path, focus } = local.value;
  const handler = data.events[path[0] ?? -1]?.matchers[path[1] ?? -1]?.handlers[path[2] ?? -1];
  const detail =
    handler && pageRows({ kind: "page", title: "", rows: handler.rows }, inner, (text) => theme.style("dim", text));
  useKeys({
    context: "picker",
    onKey: (press) => {
      const now = local.get();
      const isDetail = now.path.length === levels;
      const count = isDetail && detail ? lastOffset(detail.length, height) + 1 : hookRows(data, now.path).length;
      const action = pickerAction(press.id);
      const next = walkList(press, now.focus, count, height);
      if (action === "cancel" || action === "tabLeft") {
        const last = now.path.at(-1);
        if (last !== undefined) local.set({ path: now.path.slice(0, -1), focus: last });
        else if (action === "cancel") actions.setPicker(null);
      } else if ((action === "accept" || action === "tabRight") && !isDetail && count > 0)
        local.set({ path: [...now.path, now.focus], focus: 0 });
      else if (next !== null) local.set({ focus: next });
      return true;
    },
    onPaste: () => true,
  });
  return (
    <Panel
      title={titleOf(data, path)}
      note={data.note === undefined ? "" : oneLine(data.note)}
      footer={footers[path.length] ?? "esc goes back"}
      width={width}
      border="promptBorder"
    >
      {detail ? (
        <Rows rows={detail} height={height} offset={focus} />
      ) : (
        <ListBox
          rows={hookRows(data, path)}
          focus={focus}
          width={inner}
          height={height}
          empty={'No hooks are in force. They stand in the settings under "hooks".'}
        />
      )}
    </Panel>
  );
};
