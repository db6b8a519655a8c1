// StartDialog: first start without credentials. A key typed here goes straight into the answer and nowhere else.
import { Box, Text } from "ink";
import { keyProblem } from "../../src/lib/key-problem.js";
import type { QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { dialogAction } from "../keys/keymap.js";
import { fullText } from "../prompt/cells.js";
import { emptyEditor, reduceEditor } from "../prompt/editor.js";
import { fieldAction, oneLine } from "../prompt/field-keys.js";
import { useTheme } from "../theme/use-theme.js";
import { Panel } from "../ui/Panel.js";
import { TextInput } from "../ui/TextInput.js";
import { useLocal } from "../ui/use-local.js";
import { useDialogKeys, useDialogPlace, useDialogSize } from "./dialog-frame.js";
import { SimpleDialog } from "./SimpleDialog.js";
import { startAnswer, startOptions, welcome } from "./start-options.js";

type StartQuestion = QuestionOf<"start">;

const KeyEntry = ({ onDone }: { onDone: (key: string | null) => void }) => {
  const theme = useTheme();
  const { now } = useServices();
  const { width, inner } = useDialogSize();
  const local = useLocal(() => ({ editor: emptyEditor, problem: "" }));
  const onKey = (press: KeyPress): boolean => {
    const { editor } = local.get();
    const action = dialogAction(press.id);
    const field = fieldAction(press, now());
    const key = fullText(editor.cells).trim();
    if (action === "cancel") onDone(null);
    else if (action === "accept" && key !== "") {
      const problem = keyProblem(key);
      if (problem === undefined) onDone(key);
      else local.set({ editor, problem });
    } else if (action !== "accept" && field) local.set({ editor: reduceEditor(editor, field), problem: "" });
    return true;
  };
  const onPaste = (text: string): boolean => {
    local.set({
      editor: reduceEditor(local.get().editor, { type: "insert", text: oneLine(text).trim() }),
      problem: "",
    });
    return true;
  };
  useDialogKeys({ onKey, onPaste });
  const { footer } = useDialogPlace("enter keeps it · esc goes back");
  return (
    <Panel title="Your API key" footer={footer} width={width} border="accent">
      <Box>
        <Text {...theme.ink("accent")}>{"❯ "}</Text>
        <TextInput
          editor={local.value.editor}
          width={inner - 2}
          isActive
          mask="•"
          placeholder="type or paste it; it is not shown"
        />
      </Box>
      {local.value.problem === "" ? null : <Text {...theme.ink("error")}>{local.value.problem}</Text>}
    </Panel>
  );
};

export const StartDialog = ({ question }: { question: StartQuestion }) => {
  const { actions } = useServices();
  const local = useLocal(() => ({ isEntering: false }));
  if (local.value.isEntering)
    return (
      <KeyEntry
        onDone={(key) => {
          if (key === null) local.set({ isEntering: false });
          else actions.answer(question.id, { kind: "start", choice: "apiKey", apiKey: key });
        }}
      />
    );
  return (
    <SimpleDialog
      title={question.isLogin ? "Log in" : "Welcome"}
      text={welcome(question)}
      options={startOptions(question)}
      escapeTo="leave"
      escapeHint={question.isLogin ? "esc changes nothing" : "esc leaves"}
      border="accent"
      onPick={(id) => {
        if (id === "apiKey") local.set({ isEntering: true });
        else actions.answer(question.id, startAnswer(id));
      }}
    />
  );
};
