// State of a choice dialog: tabs, focus, what is picked. A pure reducer; the component draws it and sends the answer.
import type { AnswerOf, ChoiceItem, QuestionOf } from "../../src/protocol/questions.js";
import { fullText } from "../prompt/cells.js";
import { type EditorAction, type EditorState, emptyEditor, reduceEditor } from "../prompt/editor.js";

type ChoiceQuestion = QuestionOf<"choice">;

/** One question's state: picked options by index, and the free text. */
interface TabState {
  picked: ReadonlySet<number>;
  text: EditorState;
}

export interface ChoiceState {
  /** Index of the open question; the number of questions is the review tab. */
  tab: number;
  focus: number;
  tabs: readonly TabState[];
  /** Set once: what is to be sent. */
  answer: AnswerOf<"choice"> | null;
}

export type ChoiceAction =
  | { type: "focus"; by: 1 | -1 }
  | { type: "tab"; by: 1 | -1 }
  | { type: "pick"; row?: number }
  | { type: "edit"; action: EditorAction }
  | { type: "dismiss" };

/** A row of the open tab, in order: the options, the free text, (several answers) done, and talking instead. */
export type ChoiceRow = { kind: "option"; index: number } | { kind: "text" | "done" | "talk" | "submit" | "cancel" };

export const openChoice = ({ questions }: ChoiceQuestion): ChoiceState => ({
  tab: 0,
  focus: 0,
  tabs: questions.map(() => ({ picked: new Set<number>(), text: emptyEditor })),
  answer: null,
});

/** A lone question with one answer is sent as soon as it is picked; everything else is reviewed first. */
export const hasReview = ({ questions }: ChoiceQuestion): boolean =>
  questions.length > 1 || questions.some(({ multiSelect }) => multiSelect);

export const rowsOf = (question: ChoiceQuestion, tab: number): ChoiceRow[] => {
  const item = question.questions[tab];
  if (!item) return [{ kind: "submit" }, { kind: "cancel" }];
  const options = item.options.map((_, index): ChoiceRow => ({ kind: "option", index }));
  const done: ChoiceRow[] = item.multiSelect ? [{ kind: "done" }] : [];
  return [...options, { kind: "text" }, ...done, { kind: "talk" }];
};

const typed = (state: TabState): string => fullText(state.text.cells).trim();

/** What the person has answered to one question: labels joined by ", ", or the free text; empty while open. */
export const answerOf = (item: ChoiceItem, state: TabState): string => {
  const labels = item.options.filter((_, index) => state.picked.has(index)).map(({ label }) => label);
  const text = typed(state);
  if (item.multiSelect) return [...labels, ...(text === "" ? [] : [text])].join(", ");
  return labels[0] ?? text;
};

const answersOf = (question: ChoiceQuestion, state: ChoiceState): AnswerOf<"choice"> => ({
  kind: "choice",
  answers: Object.fromEntries(
    question.questions
      .map((item, at) => [item.question, answerOf(item, state.tabs[at]!)] as const)
      .filter(([, answer]) => answer !== ""),
  ),
});

/** The state after an action; `answer` is set when the dialog is done. */
export const reduceChoice = (question: ChoiceQuestion, state: ChoiceState, action: ChoiceAction): ChoiceState => {
  const rows = rowsOf(question, state.tab);
  switch (action.type) {
    case "focus":
      return { ...state, focus: (state.focus + action.by + rows.length) % rows.length };
    case "tab":
      return hasReview(question) ? openTab(question, state, state.tab + action.by) : state;
    case "edit":
      return editText(state, action.action);
    case "dismiss":
      return { ...state, answer: { kind: "choice" } };
    case "pick":
      return pick(question, state, rows, action.row ?? state.focus);
  }
};

const openTab = (question: ChoiceQuestion, state: ChoiceState, tab: number): ChoiceState => {
  const count = question.questions.length + 1;
  return { ...state, tab: Math.max(0, Math.min(count - 1, tab)), focus: 0 };
};

const setTab = (state: ChoiceState, change: Partial<TabState>): ChoiceState => ({
  ...state,
  tabs: state.tabs.map((tab, at) => (at === state.tab ? { ...tab, ...change } : tab)),
});

/** Typing in the free text un-picks a single choice: one question has one answer. */
const editText = (state: ChoiceState, action: EditorAction): ChoiceState => {
  const tab = state.tabs[state.tab];
  return tab ? setTab(state, { text: reduceEditor(tab.text, action) }) : state;
};

const toggled = (picked: ReadonlySet<number>, index: number): ReadonlySet<number> =>
  picked.has(index) ? new Set([...picked].filter((one) => one !== index)) : new Set([...picked, index]);

const pick = (question: ChoiceQuestion, state: ChoiceState, rows: readonly ChoiceRow[], at: number): ChoiceState => {
  const row = rows[at];
  if (!row) return state;
  const focused = { ...state, focus: at };
  if (row.kind !== "option") return pickPlain(question, focused, row.kind);
  const tab = state.tabs[state.tab]!;
  if (question.questions[state.tab]?.multiSelect) return setTab(focused, { picked: toggled(tab.picked, row.index) });
  return next(question, setTab(focused, { picked: new Set([row.index]), text: emptyEditor }));
};

/** Rows that are no options of the model. */
const pickPlain = (
  question: ChoiceQuestion,
  state: ChoiceState,
  kind: Exclude<ChoiceRow["kind"], "option">,
): ChoiceState => {
  if (kind === "submit") return { ...state, answer: answersOf(question, state) };
  if (kind === "cancel") return { ...state, answer: { kind: "choice" } };
  if (kind === "done") return next(question, state);
  const text = typed(state.tabs[state.tab]!);
  if (kind === "talk") return { ...state, answer: { kind: "choice", comment: text } };
  if (text === "" || question.questions[state.tab]?.multiSelect) return state;
  return next(question, setTab(state, { picked: new Set() }));
};

/** On to the next question, the review, or straight to the answer. */
const next = (question: ChoiceQuestion, state: ChoiceState): ChoiceState => {
  if (!hasReview(question)) return { ...state, answer: answersOf(question, state) };
  // A lone question with several answers is its own review.
  if (question.questions.length === 1) return { ...state, answer: answersOf(question, state) };
  return openTab(question, state, state.tab + 1);
};
