// Questions slice: one queue, oldest first. The head is what the screen asks.
import type { Question } from "../../src/protocol/questions.js";

/** Adds a question at the end; one that is there already is replaced where it stands. */
export const askQuestion = (questions: Question[], question: Question): Question[] =>
  questions.some(({ id }) => id === question.id)
    ? questions.map((known) => (known.id === question.id ? question : known))
    : [...questions, question];

/** Takes a settled question out; the same array when it was not there. */
export const settleQuestion = (questions: Question[], id: string): Question[] =>
  questions.some((question) => question.id === id) ? questions.filter((question) => question.id !== id) : questions;
