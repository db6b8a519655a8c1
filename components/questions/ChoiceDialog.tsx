// ChoiceDialog: questions of the model, one tab each, with free text and the way out to talking about it.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { ChoiceItem, QuestionOf } from "../../src/protocol/questions.js";
import { useAppState, useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { dialogAction } from "../keys/keymap.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { numbered, type Option, OptionList, optionGutter, optionsHeight } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { Rows } from "../ui/Rows.js";
import { Tabs } from "../ui/Tabs.js";
import { TextInput } from "../ui/TextInput.js";
import { useLocal } from "../ui/use-local.js";
import { ChoicePreview, optionsBeside, previewRows } from "./ChoicePreview.js";
import {
  answerOf,
  type ChoiceAction,
  type ChoiceRow,
  type ChoiceState,
  hasReview,
  openChoice,
  reduceChoice,
  rowsOf,
} from "./choice-state.js";
import { useDialogKeys, useDialogPlace, useDialogSize } from "./dialog-frame.js";
import { idleLimitMs, useIdleLimit } from "./use-idle-limit.js";

type ChoiceQuestion = QuestionOf<"choice">;

/** Column at which descriptions begin. */
const detailColumn = 22;
const textLabel = "Something else: ";

/** Keys of the dialog; the answer goes out as soon as the state holds one. */
const useChoiceKeys = (question: ChoiceQuestion, local: { get: () => ChoiceState; set: (s: ChoiceState) => void }) => {
  const { actions, now } = useServices();
  const dispatch = (action: ChoiceAction): void => {
    const state = reduceChoice(question, local.get(), action);
    local.set(state);
    if (state.answer) actions.answer(question.id, state.answer);
  };
  const onKey = (press: KeyPress): boolean => {
    const { tab, focus } = local.get();
    const rows = rowsOf(question, tab);
    const action = dialogAction(press.id);
    const field = rows[focus]?.kind === "text" ? fieldAction(press, now()) : null;
    if (action === "accept") dispatch({ type: "pick" });
    else if (action === "cancel") dispatch({ type: "dismiss" });
    else if (action === "previous" || action === "next") dispatch({ type: "focus", by: action === "next" ? 1 : -1 });
    else if (action === "comment" || action === "allowEdits")
      dispatch({ type: "tab", by: action === "comment" ? 1 : -1 });
    else if (field) dispatch({ type: "edit", action: field });
    else if (action === "tabLeft" || action === "tabRight")
      dispatch({ type: "tab", by: action === "tabRight" ? 1 : -1 });
    else if (action === "toggle" && rows[focus]?.kind === "option" && question.questions[tab]?.multiSelect)
      dispatch({ type: "pick" });
    else {
      const at = numbered(press.text, rows.length);
      if (at === null) return false;
      dispatch({ type: "pick", row: at });
    }
    return true;
  };
  const onPaste = (text: string): boolean => {
    const { tab, focus } = local.get();
    if (rowsOf(question, tab)[focus]?.kind !== "text") return false;
    dispatch({ type: "edit", action: { type: "insert", text: oneLine(text) } });
    return true;
  };
  useDialogKeys({ onKey, onPaste });
};

const plainLabels = {
  done: "Done",
  talk: "Talk about it instead",
  submit: "Submit",
  cancel: "Cancel",
} as const;

const optionOf = (
  item: ChoiceItem | undefined,
  row: ChoiceRow,
  state: ChoiceState,
  at: number,
  inner: number,
): Option => {
  const id = `${at}`;
  if (row.kind === "option") {
    const option = item!.options[row.index]!;
    const isPicked = state.tabs[state.tab]!.picked.has(row.index);
    return {
      id,
      label: sanitise(option.label),
      detail: sanitise(option.description),
      ...(item!.multiSelect ? { isTicked: isPicked } : {}),
    };
  }
  if (row.kind !== "text") return { id, label: plainLabels[row.kind] };
  const width = Math.max(6, inner - optionGutter - textLabel.length);
  const editor = state.tabs[state.tab]!.text;
  return {
    id,
    label: textLabel,
    extra: <TextInput editor={editor} width={width} isActive={state.focus === at} />,
  };
};

/** The last tab: each question with its answer, before it is sent. */
const Review = ({ question, state, height }: { question: ChoiceQuestion; state: ChoiceState; height: number }) => {
  const rows = question.questions.map((item, at) => {
    const answer = answerOf(item, state.tabs[at]!);
    return `${sanitise(item.question)} → ${answer === "" ? "(no answer)" : sanitise(answer)}`;
  });
  return <Rows rows={rows} height={height} />;
};

/** The dialog answers itself when nobody was there for as long as the person has set. Returns what the footer says of it. */
const useTimeLimit = (question: ChoiceQuestion): string => {
  const { actions } = useServices();
  const limitMs = idleLimitMs(useAppState((state) => state.session?.interface?.askUserQuestionTimeout));
  const left = useIdleLimit(limitMs, () => actions.answer(question.id, { kind: "choice", isTimeout: true }));
  return left === null ? "" : ` · goes on without you in ${left} s, a key stops that`;
};

/** Options with what the focused one has to show: beside it where there is room, else above. */
const OptionsAndPreview = (props: {
  options: readonly Option[];
  focus: number;
  preview: string | null;
  inner: number;
  height: number;
  spare: number;
}) => {
  const { options, focus, preview, inner, height, spare } = props;
  const theme = useTheme();
  const beside = preview === null ? null : optionsBeside(inner);
  if (preview !== null && beside !== null)
    return (
      <Box>
        <Box width={beside} flexShrink={0}>
          <OptionList options={options} focus={focus} width={beside} height={height} />
        </Box>
        <Box marginLeft={2}>
          <ChoicePreview preview={preview} width={inner - beside - 2} height={height} />
        </Box>
      </Box>
    );
  const above = preview === null || preview === "" ? [] : previewRows(preview, inner, Math.max(0, spare));
  return (
    <Box flexDirection="column">
      {above.length > 0 && (
        <Text wrap="truncate" {...theme.ink("dim")}>
          {above.join("\n")}
        </Text>
      )}
      <OptionList options={options} focus={focus} width={inner} height={height} detailColumn={detailColumn} />
    </Box>
  );
};

/** The preview of the focused option, "" where only others have one; null when none of them has. */
const previewOf = (item: ChoiceItem | undefined, focus: number): string | null =>
  item?.options.some(({ preview }) => preview) ? (item.options[focus]?.preview ?? "") : null;

export const ChoiceDialog = ({ question }: { question: ChoiceQuestion }) => {
  const { width, inner, bodyRows, contentRows, isTight } = useDialogSize();
  const local = useLocal<ChoiceState>(() => openChoice(question));
  const state = local.value;
  useChoiceKeys(question, local);
  const limit = useTimeLimit(question);
  const item = question.questions[state.tab];
  const preview = previewOf(item, state.focus);
  const beside = preview === null ? null : optionsBeside(inner);
  const optionWidth = beside ?? inner;
  const full = rowsOf(question, state.tab).map((row, at) => optionOf(item, row, state, at, optionWidth));
  // Where rows are scarce only the focused option is described.
  const options = isTight ? full.map((option, at) => (at === state.focus ? option : { ...option, detail: "" })) : full;
  const hasTabs = question.questions.length > 1;
  const optionRows = optionsHeight(options, optionWidth, beside === null ? detailColumn : 0);
  const room = bodyRows(optionRows + (hasTabs ? 1 : 0) + (isTight ? 0 : 1));
  const text = item ? wrapText(sanitise(item.question), inner) : [];
  const asked = Math.max(1, room - (beside === null && preview ? Math.min(preview.split("\n").length, 4) : 0));
  const hints = hasReview(question) && hasTabs ? "← → questions · " : "";
  const { footer, note } = useDialogPlace(`${hints}number or enter · esc: talk about it instead${limit}`);
  const marks = question.questions.map((one, at) => (answerOf(one, state.tabs[at]!) === "" ? "" : "✓"));
  return (
    <Panel
      title={hasTabs ? "Questions" : sanitise(item?.header ?? "Question")}
      note={note}
      footer={footer}
      width={width}
    >
      {hasTabs && (
        <Tabs
          names={[...question.questions.map(({ header }) => sanitise(header)), "Submit"]}
          open={state.tab}
          marks={marks}
        />
      )}
      {item ? <Rows rows={text} height={asked} /> : <Review question={question} state={state} height={room} />}
      <Box marginTop={isTight ? 0 : 1} flexDirection="column">
        <OptionsAndPreview
          options={options}
          focus={state.focus}
          preview={preview}
          inner={inner}
          height={Math.max(1, contentRows - Math.min(text.length, asked) - (hasTabs ? 1 : 0) - (isTight ? 0 : 1))}
          spare={room - Math.min(text.length, asked)}
        />
      </Box>
    </Panel>
  );
};
