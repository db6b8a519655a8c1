// The ways to start without credentials, in words.
import { sanitise } from "../../src/lib/sanitise.js";
import type { AnswerOf, QuestionOf } from "../../src/protocol/questions.js";

export interface StartOption {
  id: string;
  label: string;
  detail?: string;
}

const keyPlaces = {
  keychain: "kept in the system keychain",
  file: "kept in a file that only you can read",
  none: "",
};

/** The ways to start, in their order: the offline tour first, leaving last. */
export const startOptions = ({ localModels, foundKey, isLogin, keyPlace }: QuestionOf<"start">): StartOption[] => [
  { id: "offline", label: "Take the offline tour", detail: "a scripted stand-in, no AI, real tools" },
  ...(foundKey === undefined
    ? []
    : [{ id: "useFoundKey", label: "Use the key found", detail: `in the environment, …${sanitise(foundKey)}` }]),
  { id: "apiKey", label: "Enter an API key", detail: keyPlaces[keyPlace ?? "none"] },
  ...localModels.map(({ label, endpoint }) => ({
    id: `local:${endpoint}`,
    label: "Use a local model",
    detail: sanitise(label),
  })),
  { id: "leave", label: isLogin ? "Keep everything as it is" : "Leave", detail: "" },
];

/** The answer for an option other than the key's. */
export const startAnswer = (id: string): AnswerOf<"start"> => {
  if (id.startsWith("local:")) return { kind: "start", choice: "local", endpoint: id.slice("local:".length) };
  if (id === "offline" || id === "useFoundKey") return { kind: "start", choice: id };
  return { kind: "start", choice: "leave" };
};

/** What stands above the ways. */
export const welcome = (question: QuestionOf<"start">): string =>
  [
    ...(question.problem === undefined ? [] : [sanitise(question.problem), ""]),
    ...(question.isLogin ? ["How should this session reach a model?"] : firstWelcome(question)),
  ].join("\n");

const firstWelcome = (question: QuestionOf<"start">): string[] => [
  "This program lets a model read, change and run things in this folder, and asks you first.",
  "",
  question.foundKey === undefined
    ? "No API key was found. How do you want to start?"
    : "An API key was found that you have not used here yet. How do you want to start?",
];
