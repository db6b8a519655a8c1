// TrustDialog: first use of a folder. Nothing of the folder's own settings runs before it is trusted.
import type { QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { SimpleDialog } from "./SimpleDialog.js";
import { trustText } from "./trust-text.js";

const options = [
  { id: "yes", label: "Yes, I trust this folder", detail: "" },
  { id: "no", label: "No, leave", detail: "" },
] as const;

export const TrustDialog = ({ question }: { question: QuestionOf<"trust"> }) => {
  const { actions } = useServices();
  return (
    <SimpleDialog
      title="Do you trust this folder?"
      text={trustText(question)}
      options={options}
      escapeTo="no"
      escapeHint="esc leaves"
      onPick={(id) => actions.answer(question.id, { kind: "trust", trusted: id === "yes" })}
    />
  );
};
