// Open questions by id. The first answer wins; what comes later is refused.
import { createDeferred, type Deferred } from "../lib/deferred.js";
import type { EngineEvent } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import type { Answer, AnswerOf, Question, QuestionOf } from "../protocol/questions.js";

export type QuestionEmit = (event: EngineEvent) => Promise<void>;

export interface QuestionBook {
  /** Asks and waits. Settles with undefined when the signal aborts first. */
  ask<K extends Question["kind"]>(
    kind: K,
    question: Omit<QuestionOf<K>, "id" | "kind">,
    emit: QuestionEmit,
    signal: AbortSignal,
    /** Somebody else who may answer first. */
    byHook?: Promise<AnswerOf<K> | undefined>,
  ): Promise<AnswerOf<K> | undefined>;
  /** False when nobody waits for this id or the answer is of another kind. Never throws. */
  answer(id: string, answer: Answer): boolean;
  /** Withdraws all that is open. */
  abortAll(): void;
}

/** An empty book of questions. */
export const createQuestionBook = (): QuestionBook => {
  const open = new Map<string, { kind: Question["kind"]; deferred: Deferred<Answer | undefined> }>();
  return {
    ask: async <K extends Question["kind"]>(
      kind: K,
      question: Omit<QuestionOf<K>, "id" | "kind">,
      emit: QuestionEmit,
      signal: AbortSignal,
      byHook?: Promise<AnswerOf<K> | undefined>,
    ) => {
      if (signal.aborted) return undefined;
      const id = newId();
      const deferred = createDeferred<Answer | undefined>();
      open.set(id, { kind, deferred });
      const onAbort = () => deferred.resolve(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      await emit({ type: "question", question: { ...question, kind, id } as unknown as Question });
      let hookAnswer: Answer | undefined;
      void byHook?.then((given) => {
        if (!given || deferred.isSettled()) return;
        hookAnswer = given as Answer;
        deferred.resolve(hookAnswer);
      });
      const answer = await deferred.promise;
      signal.removeEventListener("abort", onAbort);
      open.delete(id);
      await emit({ type: "question_settled", id, by: settledBy(answer, hookAnswer), answer: withoutSecrets(answer) });
      return answer as AnswerOf<K> | undefined;
    },
    answer: (id, answer) => {
      const entry = open.get(id);
      if (!entry || entry.kind !== answer.kind || entry.deferred.isSettled()) return false;
      entry.deferred.resolve(answer);
      return true;
    },
    abortAll: () => {
      for (const { deferred } of open.values()) deferred.resolve(undefined);
    },
  };
};

const settledBy = (answer: Answer | undefined, hookAnswer: Answer | undefined): "person" | "hook" | "abort" => {
  if (!answer) return "abort";
  return answer === hookAnswer ? "hook" : "person";
};

/** A typed key is for the keychain alone: events are recorded and shown. */
const withoutSecrets = (answer: Answer | undefined): Answer | undefined =>
  answer?.kind === "start" ? { ...answer, apiKey: undefined } : answer;
