// TaskOutput: what a background task has printed; it opens at the end.
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { Picker } from "../../src/protocol/pickers.js";
import { useAppState, useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";
import { taskState } from "./TasksPicker.js";

type Shown = Extract<Picker, { kind: "task_output" }>;

export const TaskOutput = ({ shown }: { shown: Shown }) => {
  const { actions, now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const task = useAppState((state) => state.background.find(({ id }) => id === shown.task.id)) ?? shown.task;
  const height = bodyRows(1);
  const text = sanitise(shown.text, { tabSize: 4 }).trimEnd();
  const rows = text === "" ? ["(It has printed nothing so far.)"] : wrapText(text, inner);
  const local = useLocal(() => ({ offset: lastOffset(rows.length, height) }));
  useKeys({
    context: "picker",
    onKey: (press) => {
      const action = pickerAction(press.id);
      const end = lastOffset(rows.length, height);
      const offset = walkList(press, Math.min(local.get().offset, end), end + 1, height);
      if (action === "cancel") actions.setPicker({ kind: "tasks" });
      else if (action === "accept") actions.showTask(task.id);
      else if ((press.id === "x" || press.id === "k") && task.status === "running") actions.stopTask(task.id);
      else if (offset !== null && rows.length > height) local.set({ offset });
      return true;
    },
    onPaste: () => true,
  });
  return (
    <Panel
      title={sanitise(task.title).replace(/\s+/g, " ")}
      note={taskState(task, now())}
      footer="enter reads again · x stops · esc goes back"
      width={width}
      border="promptBorder"
    >
      <Rows rows={rows} height={height} offset={Math.min(local.value.offset, lastOffset(rows.length, height))} />
    </Panel>
  );
};
