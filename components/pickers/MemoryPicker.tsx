// MemoryPicker: the instruction and memory files; Enter opens one in the user's editor.
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { ListBox } from "../ui/ListBox.js";
import { numbered } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type MemoryFiles = Extract<Picker, { kind: "memory" }>["files"];

export const MemoryPicker = ({ files }: { files: MemoryFiles }) => {
  const { actions, openFile } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ focus: 0 }));
  const height = bodyRows(0);
  const open = async (at: number): Promise<void> => {
    const file = files[at];
    if (!file) return;
    actions.setPicker(null);
    if (!openFile) {
      actions.notice("info", `Open ${file.path} in your editor; it is read again with the next prompt.`);
      return;
    }
    const failure = await openFile(file.path);
    if (failure === null) actions.notice("info", `${file.label}: saved changes count from the next prompt on.`);
    else actions.notice("error", failure);
  };
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, files.length, height);
      const at = numbered(press.text, files.length);
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept") void open(focus);
      else if (next !== null) local.set({ focus: next });
      else if (at !== null) void open(at);
      return true;
    },
    onPaste: () => true,
  });
  const rows = files.map(({ path, label, exists, note }) => ({
    id: path,
    label: sanitise(label),
    detail: [exists ? "" : "new", note ? sanitise(note) : "", sanitise(path)].filter(Boolean).join(" · "),
  }));
  return (
    <Panel title="Memory" footer="enter opens it in your editor · esc closes" width={width} border="promptBorder">
      <ListBox rows={rows} focus={local.value.focus} width={inner} height={height} empty="No memory files." />
    </Panel>
  );
};
