// GoOnDialog: something goes round in circles. Go on or stop?
import { sanitise } from "../../src/lib/sanitise.js";
import type { QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { SimpleDialog } from "./SimpleDialog.js";

const options = [
  { id: "stop", label: "Stop here" },
  { id: "on", label: "Go on" },
] as const;

export const GoOnDialog = ({ question }: { question: QuestionOf<"go_on"> }) => {
  const { actions } = useServices();
  return (
    <SimpleDialog
      title={sanitise(question.title)}
      text={sanitise(question.detail)}
      options={options}
      escapeTo="stop"
      escapeHint="esc stops"
      onPick={(id) => actions.answer(question.id, { kind: "go_on", goOn: id === "on" })}
    />
  );
};
