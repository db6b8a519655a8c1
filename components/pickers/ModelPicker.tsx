// ModelPicker: which model answers from now on; Enter keeps it as the default, s only for this session.
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

export const ModelPicker = ({ models }: { models: Extract<Picker, { kind: "model" }>["models"] }) => {
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const current = models.findIndex((model) => model.current);
  const local = useLocal(() => ({ focus: Math.max(0, current) }));
  const height = bodyRows(0);
  const pick = (at: number, save: boolean): void => {
    const model = models[at];
    actions.setPicker(null);
    if (model) actions.setModel(model.value, save);
  };
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, models.length, height);
      const at = numbered(press.text, models.length);
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept") pick(focus, true);
      else if (press.id === "s") pick(focus, false);
      else if (next !== null) local.set({ focus: next });
      else if (at !== null) pick(at, true);
      return true;
    },
    onPaste: () => true,
  });
  const rows = models.map(({ value, label, description, current: isCurrent }) => ({
    id: value,
    label: sanitise(label),
    detail: sanitise(description),
    isCurrent,
  }));
  return (
    <Panel title="Model" footer="enter: from now on · s: this session · esc closes" width={width} border="promptBorder">
      <ListBox rows={rows} focus={local.value.focus} width={inner} height={height} empty="No models are known." />
    </Panel>
  );
};
