// PermissionDialog: what exactly would happen, why it is asked, and the choices by number.
import { Box, Text } from "ink";
import { useMemo } from "react";
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, textWidth, wrapText } from "../../src/lib/text-width.js";
import type { Display } from "../../src/protocol/display.js";
import type { QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { displayRows } from "../displays/index.js";
import type { KeyPress } from "../keys/key-press.js";
import { dialogAction } from "../keys/keymap.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { agentToken } from "../theme/tokens.js";
import { useTheme } from "../theme/use-theme.js";
import { numbered, OptionList, optionGutter, optionsHeight, stepFocus } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { useDialogKeys, useDialogPlace, useDialogSize } from "./dialog-frame.js";
import {
  allowEditsOption,
  inputText,
  type PermissionOption,
  permissionAnswer,
  permissionOptions,
  permissionTitle,
  reasonLine,
} from "./permission-options.js";

type PermissionQuestion = QuestionOf<"permission">;

interface DialogState {
  focus: number;
  /** The comment being typed; null while there is none. Its field stands beside the focused option if that takes one. */
  comment: EditorState | null;
  offset: number;
  isWhole: boolean;
}

const takesComment = (option: PermissionOption | undefined): boolean => option?.id === "yes" || option?.id === "no";

const displayOf = (question: PermissionQuestion): Display =>
  question.display ?? { kind: "text", text: inputText(question) };

/** The body: a command is shown as it is, everything else by its display's renderer. */
const useBody = (question: PermissionQuestion, width: number, isWhole: boolean): string[] => {
  const theme = useTheme();
  return useMemo(() => {
    const display = displayOf(question);
    if (display.kind === "text") return wrapText(sanitise(display.text), width);
    if (display.kind === "shell") return wrapText(sanitise(display.command), width);
    return displayRows(display, { width, theme, maxRows: Number.POSITIVE_INFINITY, expanded: isWhole });
  }, [question, width, theme, isWhole]);
};

/** Keys of the dialog; `count` rows of body scroll in `height`. */
const usePermissionKeys = (
  question: PermissionQuestion,
  options: readonly PermissionOption[],
  local: Local<DialogState>,
  scrollEnd: number,
): void => {
  const { actions, now } = useServices();
  const { get, set } = local;
  const pick = (option: PermissionOption): void => {
    const { comment, focus } = get();
    // Only what is seen beside the option is sent with it.
    const typed = comment && takesComment(option) && options[focus] === option ? fullText(comment.cells).trim() : "";
    actions.answer(question.id, permissionAnswer(question, option, typed));
  };
  const openComment = (): void => {
    if (takesComment(options[get().focus])) set({ comment: get().comment ?? emptyEditor });
  };
  const onComment = (press: KeyPress, comment: EditorState): boolean => {
    const action = fieldAction(press, now());
    if (action) set({ comment: reduceEditor(comment, action) });
    return action !== null;
  };
  const scroll = (by: number): void => set({ offset: Math.max(0, Math.min(scrollEnd, get().offset + by)) });

  const onKey = (press: KeyPress): boolean => {
    const { focus } = get();
    const comment = takesComment(options[focus]) ? get().comment : null;
    const action = dialogAction(press.id);
    if (action === "accept") pick(options[focus]!);
    else if (action === "cancel" && comment) set({ comment: null });
    else if (action === "cancel") pick(options.at(-1)!);
    else if (action === "comment") openComment();
    else if (action === "previous" || action === "next")
      set({ focus: stepFocus(focus, action === "next" ? 1 : -1, options.length) });
    else if (action === "allowEdits") {
      const option = allowEditsOption(options);
      if (option) pick(option);
    } else if (comment && onComment(press, comment)) return true;
    else if (press.id === "pageup" || press.id === "pagedown") scroll(press.id === "pageup" ? -5 : 5);
    else if (action === "whole") set({ isWhole: !get().isWhole });
    else {
      const at = numbered(press.text, options.length);
      if (at === null) return false;
      pick(options[at]!);
    }
    return true;
  };
  const onPaste = (text: string): boolean => {
    const { comment, focus } = get();
    if (!comment || !takesComment(options[focus])) return false;
    set({ comment: reduceEditor(comment, { type: "insert", text: oneLine(text) }) });
    return true;
  };
  useDialogKeys({ onKey, onPaste });
};

/** Width of the widest option label, so that the comment field starts behind it. */
const fieldWidth = (inner: number, label: string): number => Math.max(10, inner - optionGutter - textWidth(label) - 2);

/** What stands beside the body. The body comes first: where it does not fit, description and reason give way. */
const layoutOf = (
  question: PermissionQuestion,
  bodyLength: number,
  options: readonly PermissionOption[],
  { inner, bodyRows, isTight }: { inner: number; bodyRows: (fixedRows: number) => number; isTight: boolean },
) => {
  const blank = isTight ? 0 : 1;
  const optionRows = optionsHeight(options, inner) + blank;
  const whole = reasonLine(question);
  const wrapped = whole === "" ? [] : isTight ? [cutToWidth(whole, inner)] : wrapText(whole, inner).slice(0, 3);
  const words = question.description ? sanitise(question.description).replace(/\n/g, " ") : "";
  const reasonRows = wrapped.length === 0 ? 0 : wrapped.length + blank;
  const isCrowded = isTight && bodyLength > bodyRows(optionRows + reasonRows + (words === "" ? 0 : 1));
  const description = isCrowded ? "" : words;
  const reason = isCrowded && bodyLength > bodyRows(optionRows + reasonRows) ? [] : wrapped;
  const fixedRows = optionRows + (reason.length === 0 ? 0 : reasonRows) + (description === "" ? 0 : 1);
  return { reason, description, blank, height: bodyRows(fixedRows) };
};

export const PermissionDialog = ({ question }: { question: PermissionQuestion }) => {
  const theme = useTheme();
  const { width, inner, bodyRows, isTight } = useDialogSize();
  const options = permissionOptions(question);
  const local = useLocal<DialogState>(() => ({ focus: 0, comment: null, offset: 0, isWhole: false }));
  const { focus, offset, isWhole } = local.value;
  const comment = takesComment(options[focus]) ? local.value.comment : null;
  const body = useBody(question, inner, isWhole);
  const { reason, description, height, blank } = layoutOf(question, body.length, options, { inner, bodyRows, isTight });
  usePermissionKeys(question, options, local, lastOffset(body.length, height));
  const hints = comment ? "enter sends it · esc closes the field" : `tab adds a comment · esc = ${options.length}`;
  const { footer, note } = useDialogPlace(hints);
  const diff = question.display?.kind === "diff" ? `+${question.display.added} −${question.display.removed}` : "";
  const border = agentToken(question.agent?.color) ?? "permission";
  return (
    <Panel
      title={permissionTitle(question)}
      note={[diff, note].filter(Boolean).join(" · ")}
      footer={footer}
      width={width}
      border={border}
    >
      <Rows rows={body} height={height} offset={offset} />
      {description !== "" && (
        <Text wrap="truncate" {...theme.ink("dim")}>
          {description}
        </Text>
      )}
      {reason.length > 0 && (
        <Box marginTop={blank}>
          <Text {...theme.ink("dim")}>{reason.join("\n")}</Text>
        </Box>
      )}
      <Box marginTop={blank}>
        <OptionList
          options={options.map(({ id, label }, at) => ({
            id,
            label: comment && at === focus ? `${label.split(",")[0]}: ` : label,
            extra:
              comment && at === focus ? (
                <TextInput editor={comment} width={fieldWidth(inner, label.split(",")[0]!)} isActive />
              ) : undefined,
          }))}
          focus={focus}
          width={inner}
        />
      </Box>
    </Panel>
  );
};
