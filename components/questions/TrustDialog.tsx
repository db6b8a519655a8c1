// TrustDialog: first use of a folder. Nothing of the folder's own settings runs before it is trusted.
import { sanitise } from "../../src/lib/sanitise.js";
import type { QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { SimpleDialog } from "./SimpleDialog.js";

const options = [
  { id: "yes", label: "Yes, I trust this folder", detail: "" },
  { id: "no", label: "No, leave", detail: "" },
] as const;

/** The dialog's text; what the folder would grant or start is listed line by line. */
export const trustText = ({ folder, grants }: QuestionOf<"trust">): string => {
  const intro = `${sanitise(folder)}\n\nThis program reads, changes and runs things in this folder, and asks you first. Files here can tell the model what to do: trust it only if you know where it comes from.`;
  const listed = grants.map((grant) => `· ${sanitise(grant)}`).join("\n");
  return grants.length === 0 ? intro : `${intro}\n\nOnce trusted, this folder may:\n${listed}`;
};

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
