// The four ways on from a plan, in words.
import type { PermissionMode } from "../../src/protocol/permission.js";
import type { QuestionOf } from "../../src/protocol/questions.js";

/** Below this inner width labels are short and details left out. */
const narrow = 72;

/** Label of option 4; the short one leaves room for the field in narrow windows. */
export const feedbackLabel = (inner: number): string =>
  inner < 60 ? "Keep planning: " : "Keep planning, with this feedback: ";

const modeLabels: Record<PermissionMode, string> = {
  default: "Start, approve each edit",
  acceptEdits: "Start in accept edits",
  plan: "Start, approve each edit",
  auto: "Start in auto",
  dontAsk: "Start in don't ask",
  bypassPermissions: "Start in bypass permissions",
};

const tokens = (count: number): string => (count < 1_000 ? `${count}` : `${Math.round(count / 1_000)}k`);

/** The four options of a plan question: label, and what it means for the conversation. */
export const planOptions = (
  { contextTokens, modeBefore }: QuestionOf<"plan">,
  inner: number,
): { label: string; detail: string }[] => [
  {
    label: inner < narrow ? "Start fresh, accept edits" : "Start fresh with this plan, accept edits",
    detail: inner < narrow ? "" : `clears ${tokens(contextTokens)} tokens`,
  },
  { label: "Start, accept edits", detail: inner < narrow ? "" : "keeps the conversation" },
  { label: modeLabels[modeBefore], detail: "" },
  { label: feedbackLabel(inner), detail: "" },
];
