// SimpleDialog: some text, some options, one answer. The trust and go-on dialogs are made of it.
import { Box } from "ink";
import { wrapText } from "../../src/lib/text-width.js";
import type { KeyPress } from "../keys/key-press.js";
import { dialogAction } from "../keys/keymap.js";
import type { Token } from "../theme/tokens.js";
import { numbered, type Option, OptionList, optionsHeight, stepFocus } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";
import { useDialogKeys, useDialogPlace, useDialogSize } from "./dialog-frame.js";

/** Column at which the words behind a label begin. */
const detailColumn = 28;

export interface SimpleOption<T extends string> {
  id: T;
  label: string;
  detail?: string;
}

export interface SimpleDialogProps<T extends string> {
  title: string;
  text: string;
  options: readonly SimpleOption<T>[];
  /** What Esc picks: the harmless option, or an answer of its own. */
  escapeTo: T;
  escapeHint: string;
  border?: Token;
  onPick: (id: T) => void;
}

export const SimpleDialog = <T extends string>(props: SimpleDialogProps<T>) => {
  const { title, text, options, escapeTo, escapeHint, border = "permission", onPick } = props;
  const { width, inner, bodyRows, contentRows, isTight } = useDialogSize();
  const local = useLocal(() => ({ focus: 0, offset: 0 }));
  const { focus, offset } = local.value;
  const body = text.split("\n").flatMap((line) => wrapText(line, inner));
  // Where rows are scarce only the labels are shown.
  const shown: Option[] = isTight ? options.map(({ id, label }) => ({ id, label })) : [...options];
  const optionRows = optionsHeight(shown, inner, detailColumn);
  const height = bodyRows(optionRows + (isTight ? 0 : 1));
  const onKey = (press: KeyPress): boolean => {
    const state = local.get();
    const action = dialogAction(press.id);
    if (action === "accept") onPick(options[state.focus]!.id);
    else if (action === "cancel") onPick(escapeTo);
    else if (action === "previous" || action === "next")
      local.set({ focus: stepFocus(state.focus, action === "next" ? 1 : -1, options.length) });
    else if (press.id === "pageup") local.set({ offset: Math.max(0, state.offset - height) });
    else if (press.id === "pagedown")
      local.set({ offset: Math.min(lastOffset(body.length, height), state.offset + height) });
    else {
      const at = numbered(press.text, options.length);
      if (at === null) return false;
      onPick(options[at]!.id);
    }
    return true;
  };
  useDialogKeys({ onKey });
  const { footer, note } = useDialogPlace(`↑↓ or number, enter to choose · ${escapeHint}`);
  return (
    <Panel title={title} note={note} footer={footer} width={width} border={border}>
      <Rows rows={body} height={height} offset={offset} />
      <Box marginTop={isTight ? 0 : 1}>
        <OptionList
          options={shown}
          focus={focus}
          width={inner}
          height={Math.max(1, contentRows - 1)}
          detailColumn={detailColumn}
        />
      </Box>
    </Panel>
  );
};
