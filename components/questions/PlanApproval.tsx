// PlanApproval: the plan and exactly four ways on, always in this order, keys 1 to 4.
import { Box } from "ink";
import { useMemo } from "react";
import { sanitise } from "../../src/lib/sanitise.js";
import type { AnswerOf, QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { displayRows } from "../displays/index.js";
import type { KeyPress } from "../keys/key-press.js";
import { dialogAction, keyFor } from "../keys/keymap.js";
import { fullText } from "../prompt/cells.js";
import { type EditorState, emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { numbered, OptionList, optionGutter, stepFocus } from "../ui/OptionList.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { TextInput } from "../ui/TextInput.js";
import { type Local, useLocal } from "../ui/use-local.js";
import { useDialogKeys, useDialogPlace, useDialogSize } from "./dialog-frame.js";
import { feedbackLabel, planOptions } from "./plan-options.js";

type PlanQuestion = QuestionOf<"plan">;
type PlanChoice = AnswerOf<"plan">["choice"];

interface PlanState {
  focus: number;
  feedback: EditorState;
  /** The plan after an edit; null while it is the model's own. */
  editedPlan: string | null;
  offset: number;
}

const keepPlanning = 3;
const optionCount = 4;
/** Keys of the dialog; `count` rows of plan scroll in `height`. */
const usePlanKeys = (
  question: PlanQuestion,
  local: Local<PlanState>,
  { count, height }: { count: number; height: number },
): void => {
  const { actions, editOutside, now } = useServices();
  const answer = (choice: PlanChoice, withFeedback = true): void => {
    const state = local.get();
    const typed = fullText(state.feedback.cells).trim();
    actions.answer(question.id, {
      kind: "plan",
      choice,
      ...(choice === 4 && withFeedback && typed !== "" ? { feedback: typed } : {}),
      ...(choice !== 4 && state.editedPlan !== null ? { editedPlan: state.editedPlan } : {}),
    });
  };
  const edit = async (): Promise<void> => {
    const state = local.get();
    const edited = await editOutside?.(state.editedPlan ?? question.plan);
    if (edited !== undefined && edited !== null) local.set({ editedPlan: edited });
  };
  const onKey = (press: KeyPress): boolean => {
    const state = local.get();
    const action = dialogAction(press.id);
    const isTyping = state.focus === keepPlanning;
    const field = isTyping ? fieldAction(press, now()) : null;
    const end = lastOffset(count, height);
    if (action === "accept") answer((state.focus + 1) as PlanChoice);
    else if (action === "cancel") answer(4, false);
    else if (action === "previous" || action === "next")
      local.set({ focus: stepFocus(state.focus, action === "next" ? 1 : -1, optionCount) });
    else if (action === "editOutside") void edit();
    else if (press.id === "pageup") local.set({ offset: Math.max(0, state.offset - height) });
    else if (press.id === "pagedown") local.set({ offset: Math.min(end, state.offset + height) });
    else if (field) local.set({ feedback: reduceEditor(state.feedback, field) });
    else {
      const at = numbered(press.text, optionCount);
      if (at === null) return false;
      if (at === keepPlanning) local.set({ focus: keepPlanning });
      else answer((at + 1) as PlanChoice);
    }
    return true;
  };
  const onPaste = (text: string): boolean => {
    const edited = reduceEditor(local.get().feedback, { type: "insert", text: oneLine(text) });
    local.set({ feedback: edited, focus: keepPlanning });
    return true;
  };
  useDialogKeys({ onKey, onPaste });
};

export const PlanApproval = ({ question }: { question: PlanQuestion }) => {
  const theme = useTheme();
  const { editOutside } = useServices();
  const { width, inner, bodyRows, isTight } = useDialogSize();
  const local = useLocal<PlanState>(() => ({ focus: 0, feedback: emptyEditor, editedPlan: null, offset: 0 }));
  const { focus, feedback, editedPlan, offset } = local.value;
  const plan = editedPlan ?? question.plan;
  const body = useMemo(
    () => displayRows({ kind: "markdown", text: plan }, { width: inner, theme, maxRows: Infinity, expanded: true }),
    [plan, inner, theme],
  );
  const height = bodyRows(optionCount + (isTight ? 0 : 1));

  usePlanKeys(question, local, { count: body.length, height });

  const { footer, note } = useDialogPlace(
    `${editOutside ? `${keyFor("confirm:externalEditor")} edit the plan · ` : ""}esc = 4 without feedback`,
  );
  const fieldWidth = Math.max(6, inner - optionGutter - feedbackLabel(inner).length);
  const options = planOptions(question, inner).map((option, at) => ({
    ...option,
    id: String(at),
    extra:
      at === keepPlanning ? (
        <TextInput editor={feedback} width={fieldWidth} isActive={focus === keepPlanning} />
      ) : undefined,
  }));
  return (
    <Panel
      title={editedPlan === null ? "The plan" : "The plan, edited"}
      note={[sanitise(question.planPath), note].filter(Boolean).join(" · ")}
      footer={footer}
      width={width}
      border="planMode"
    >
      <Rows rows={body} height={height} offset={offset} />
      <Box marginTop={isTight ? 0 : 1}>
        <OptionList options={options} focus={focus} width={inner} detailColumn={44} />
      </Box>
    </Panel>
  );
};
