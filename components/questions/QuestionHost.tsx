// QuestionHost: one queue of questions, the oldest in the place of the prompt. Keys typed before a dialog was visible
// and quiet stay in the draft, and so does text that is no choice of it: typing ahead approves nothing (F033).
import { useEffect, useMemo, useState } from "react";
import { unreachable } from "../../src/lib/unreachable.js";
import type { Question } from "../../src/protocol/questions.js";
import { headQuestion, questionCount } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { useKeyRouter, useKeys } from "../keys/use-keymap.js";
import { ChoiceDialog } from "./ChoiceDialog.js";
import { DialogPlaceContext } from "./dialog-frame.js";
import { GoOnDialog } from "./GoOnDialog.js";
import { McpServerDialog } from "./McpServerDialog.js";
import { PermissionDialog } from "./PermissionDialog.js";
import { PlanApproval } from "./PlanApproval.js";
import { createQuietGate } from "./quiet-gate.js";
import { StartDialog } from "./StartDialog.js";
import { TrustDialog } from "./TrustDialog.js";

const Dialog = ({ question }: { question: Question }) => {
  switch (question.kind) {
    case "permission":
      return <PermissionDialog question={question} />;
    case "plan":
      return <PlanApproval question={question} />;
    case "choice":
      return <ChoiceDialog question={question} />;
    case "trust":
      return <TrustDialog question={question} />;
    case "start":
      return <StartDialog question={question} />;
    case "go_on":
      return <GoOnDialog question={question} />;
    case "mcp_server":
      return <McpServerDialog question={question} />;
    default:
      return unreachable(question);
  }
};

/** One question with its own quiet period; remounted for the next one. */
const HostedQuestion = ({ question, queueNote }: { question: Question; queueNote: string }) => {
  const { now, quietMs, prompt } = useServices();
  const router = useKeyRouter();
  const [gate] = useState(() => createQuietGate({ visibleAt: now(), quietMs, now, lastKeyAt: router.lastKeyAt }));
  const [isLive, setLive] = useState(quietMs === 0);
  useEffect(() => {
    if (isLive) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const remaining = gate.remainingMs();
      if (remaining === 0) setLive(true);
      else timer = setTimeout(look, remaining);
    };
    look();
    return () => clearTimeout(timer);
  }, [gate, isLive]);
  useKeys({
    context: "gate",
    onKey: (press) => {
      if (gate.isOpen() || press.id === "ctrl+c") return false;
      prompt.typeAhead(press);
      return true;
    },
    onPaste: (text) => {
      if (gate.isOpen()) return false;
      prompt.paste(text);
      return true;
    },
  });
  const place = useMemo(() => {
    const onStray = (text: string): void => {
      gate.shut();
      setLive(gate.isOpen());
      prompt.paste(text);
    };
    return { isLive, queueNote, onStray };
  }, [isLive, queueNote, gate, prompt]);
  return (
    <DialogPlaceContext.Provider value={place}>
      <Dialog question={question} />
    </DialogPlaceContext.Provider>
  );
};

export const QuestionHost = () => {
  const question = useAppState(headQuestion);
  const count = useAppState(questionCount);
  if (!question) return null;
  return <HostedQuestion key={question.id} question={question} queueNote={count > 1 ? `1 of ${count}` : ""} />;
};
