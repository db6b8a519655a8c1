// TasksPicker: what runs in the background; Enter shows its output, x stops it.
import { useAnimation } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import type { TaskRow } from "../../src/protocol/pickers.js";
import { runningTasks } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { durationText } from "../status/format.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

/** How a task stands, e.g. "running · 12 s". */
export const taskState = ({ status, startedAt, endedAt }: TaskRow, now: number): string =>
  `${status} · ${durationText((endedAt ?? now) - startedAt)}`;

export const TasksPicker = () => {
  const { actions, store, now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const tasks = useAppState((state) => state.background).toReversed();
  const running = useAppState(runningTasks);
  const local = useLocal(() => ({ focus: 0 }));
  const height = bodyRows(0);
  useAnimation({ interval: 1_000, isActive: running > 0 });
  useKeys({
    context: "picker",
    onKey: (press) => {
      const rows = store.getState().background.toReversed();
      const focus = Math.min(local.get().focus, Math.max(0, rows.length - 1));
      const task = rows[focus];
      const action = pickerAction(press.id);
      const next = walkList(press, focus, rows.length, height);
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept" && task) actions.showTask(task.id);
      else if ((press.id === "x" || press.id === "k") && task?.status === "running") actions.stopTask(task.id);
      else if (next !== null) local.set({ focus: next });
      return true;
    },
    onPaste: () => true,
  });
  const rows = tasks.map((task) => ({
    id: task.id,
    label: sanitise(task.summary ? `${task.title} · ${task.summary}` : task.title).replace(/\s+/g, " "),
    detail: taskState(task, now()),
  }));
  return (
    <Panel
      title="Background tasks"
      note={`${running} running`}
      footer="enter shows the output · x stops · esc closes"
      width={width}
      border="promptBorder"
    >
      <ListBox
        rows={rows}
        focus={Math.min(local.value.focus, Math.max(0, rows.length - 1))}
        width={inner}
        height={height}
        empty="Nothing runs in the background."
      />
    </Panel>
  );
};
