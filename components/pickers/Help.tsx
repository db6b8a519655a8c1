// Help: keys, commands, and commands of the user's own.
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, padToWidth } from "../../src/lib/text-width.js";
import type { CommandRow, Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { keyRows } from "../ui/KeyHints.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { Tabs } from "../ui/Tabs.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

const isBuiltIn = ({ source }: CommandRow): boolean => source === "builtin" || source === "built-in";

/** The tabs there is something in. */
const tabNames = (commands: readonly CommandRow[]): string[] => [
  "Keys",
  "Commands",
  ...(commands.every(isBuiltIn) ? [] : ["Custom"]),
];

const intro = [
  "Type what you want in plain words. Changes and commands are asked about first.",
  "Select text with shift and the mouse (option in iTerm2).",
  "",
];

const commandRows = (commands: readonly CommandRow[], width: number): string[] =>
  commands.map(({ name, argumentHint, description }) => {
    const left = padToWidth(`/${sanitise(name)}${argumentHint ? ` ${sanitise(argumentHint)}` : ""}`, 24);
    return cutToWidth(`${left} ${sanitise(description)}`, width);
  });

/** The rows of a tab of the help. */
export const helpRows = (tab: number, commands: readonly CommandRow[], width: number): string[] => {
  if (tab === 0) return [...intro.map((line) => cutToWidth(line, width)), ...keyRows(width)];
  const shown = commands.filter((command) => isBuiltIn(command) === (tab === 1));
  return shown.length === 0 ? ["None here."] : commandRows(shown, width);
};

export const Help = ({ help }: { help: Extract<Picker, { kind: "help" }> }) => {
  const { actions, prompt } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ tab: 0, offset: 0 }));
  const { tab, offset } = local.value;
  const names = tabNames(help.commands);
  const rows = helpRows(tab, help.commands, inner);
  const height = bodyRows(1);
  useKeys({
    context: "picker",
    onKey: (press) => {
      const action = pickerAction(press.id);
      const state = local.get();
      const end = lastOffset(helpRows(state.tab, help.commands, inner).length, height);
      const next = walkList(press, state.offset, end + 1, height);
      if (action === "cancel" || action === "accept") actions.setPicker(null);
      else if (action === "tabLeft" || action === "tabRight")
        local.set({ tab: (state.tab + (action === "tabRight" ? 1 : names.length - 1)) % names.length, offset: 0 });
      else if (next !== null) local.set({ offset: Math.min(next, end) });
      else if (press.text !== "") prompt.typeAhead(press); // a page takes no text: it is for the draft
      return true;
    },
    onPaste: (text) => {
      prompt.paste(text);
      return true;
    },
  });
  return (
    <Panel title="Help" footer="← → tabs · esc closes" width={width} border="promptBorder">
      <Tabs names={names} open={tab} />
      <Rows rows={rows} height={height} offset={offset} />
    </Panel>
  );
};
