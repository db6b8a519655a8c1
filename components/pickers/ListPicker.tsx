// ListPicker: rows of which one is chosen; its slash command runs.
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type ListData = Extract<Picker, { kind: "list" }>;

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ");

export const ListPicker = ({ data }: { data: ListData }) => {
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({
    focus: Math.max(
      0,
      data.rows.findIndex(({ isCurrent }) => isCurrent),
    ),
  }));
  const height = bodyRows(0);
  const choose = (at: number): void => {
    const command = data.rows[at]?.command;
    if (command === undefined) return;
    actions.setPicker(null);
    actions.runCommand(command);
  };
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, data.rows.length, height);
      const digit = /^[1-9]$/.test(press.text) ? Number(press.text) - 1 : -1;
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept") choose(focus);
      else if (next !== null) local.set({ focus: next });
      else if (digit >= 0 && digit < data.rows.length) choose(digit);
      return true;
    },
    onPaste: () => true,
  });
  const canChoose = data.rows.some(({ command }) => command !== undefined);
  return (
    <Panel
      title={oneLine(data.title)}
      footer={canChoose ? "number or enter chooses · esc closes" : "esc closes"}
      width={width}
      border="promptBorder"
    >
      <ListBox
        rows={data.rows.map(({ label, detail, isCurrent }, at) => ({
          id: String(at),
          label: oneLine(label),
          ...(detail === undefined ? {} : { detail: oneLine(detail) }),
          ...(isCurrent ? { isCurrent } : {}),
        }))}
        focus={local.value.focus}
        width={inner}
        height={height}
        empty={data.empty}
      />
    </Panel>
  );
};
