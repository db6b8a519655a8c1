// Questions in plain lines: numbered choices, answered by a number and Enter. What is no number answers nothing.
import { sanitise } from "../../src/lib/sanitise.js";
import { unreachable } from "../../src/lib/unreachable.js";
import type { Answer, ChoiceItem, Question, QuestionOf } from "../../src/protocol/questions.js";
import { mcpServerOptions, mcpServerText } from "../questions/mcp-server-text.js";
import {
  inputText,
  permissionAnswer,
  permissionOptions,
  permissionTitle,
  reasonLine,
} from "../questions/permission-options.js";
import { planOptions } from "../questions/plan-options.js";
import { startAnswer, startOptions, welcome } from "../questions/start-options.js";
import { trustText } from "../questions/trust-text.js";
import { displayLines, oneLine, plainLines } from "./wording.js";

/** A question being asked: what to print, and what a typed line means. */
export interface Asking {
  lines: string[];
  /** The answer, more lines to print before it can be given, or null: the line means nothing here. */
  take(line: string): { answer: Answer } | { lines: string[] } | null;
}

const numbered = (labels: readonly string[]): string[] => labels.map((label, at) => `${at + 1}. ${label}`);

/** "2" or "2 and then some words"; null when there is no such number. */
const choiceIn = (line: string, count: number): { at: number; rest: string } | null => {
  const match = /^\s*(\d{1,2})(?:[.)\s]\s*(.*))?\s*$/.exec(line);
  const number = Number(match?.[1]);
  return match && number >= 1 && number <= count ? { at: number - 1, rest: (match[2] ?? "").trim() } : null;
};

/** How to answer, named at the end of each question. */
const how = (count: number, more = ""): string => `Type a number from 1 to ${count} and press Enter.${more}`;

const askPermission = (question: QuestionOf<"permission">): Asking => {
  const options = permissionOptions(question);
  const body = question.display ? displayLines(question.display, true) : plainLines(inputText(question));
  const reason = reasonLine(question);
  return {
    lines: [
      `Question: ${permissionTitle(question)}`,
      ...body,
      ...(question.description ? [oneLine(question.description)] : []),
      ...(reason === "" ? [] : [reason]),
      ...numbered(options.map(({ label }) => label.replace(" (shift+tab)", ""))),
      how(options.length, " Words behind the number are passed on."),
    ],
    take: (line) => {
      const choice = choiceIn(line, options.length);
      const option = choice && options[choice.at];
      return option ? { answer: permissionAnswer(question, option, choice.rest) } : null;
    },
  };
};

const askPlan = (question: QuestionOf<"plan">): Asking => {
  const options = planOptions(question, 200);
  const labels = options.map(({ label, detail }) => `${label.replace(/: $/, "")}${detail === "" ? "" : `, ${detail}`}`);
  return {
    lines: [
      "Question: is this plan good?",
      ...plainLines(question.plan),
      ...numbered(labels),
      how(4, " Words behind 4 are passed on."),
    ],
    take: (line) => {
      const choice = choiceIn(line, 4);
      if (!choice) return null;
      const number = (choice.at + 1) as 1 | 2 | 3 | 4;
      const feedback = number === 4 && choice.rest !== "" ? { feedback: choice.rest } : {};
      return { answer: { kind: "plan", choice: number, ...feedback } };
    },
  };
};

const itemLines = (item: ChoiceItem): string[] => [
  `Question: ${oneLine(item.question)}`,
  ...numbered([
    ...item.options.map(
      ({ label, description }) => `${oneLine(label)}${description ? `, ${oneLine(description)}` : ""}`,
    ),
    "Talk about it instead",
  ]),
  item.multiSelect
    ? "Type one or more numbers with commas between them, or your own words, and press Enter."
    : "Type a number, or your own words, and press Enter.",
];

/** What a line answers to one question; null for talking instead. */
const itemAnswer = (item: ChoiceItem, line: string): string | null => {
  const numbers = /^[\d,\s]+$/.test(line)
    ? line
        .split(/[,\s]+/)
        .filter(Boolean)
        .map(Number)
    : [];
  if (numbers.includes(item.options.length + 1)) return null;
  const labels = numbers.map((number) => item.options[number - 1]?.label);
  if (numbers.length === 0 || labels.includes(undefined)) return line.trim();
  return (item.multiSelect ? labels : labels.slice(0, 1)).join(", ");
};

const askChoice = ({ questions }: QuestionOf<"choice">): Asking => {
  const answers: Record<string, string> = {};
  let at = 0;
  return {
    lines: itemLines(questions[0]!),
    take: (line) => {
      const item = questions[at];
      if (!item || line.trim() === "") return null;
      const answer = itemAnswer(item, line);
      if (answer === null) return { answer: { kind: "choice", comment: "" } };
      answers[item.question] = answer;
      at += 1;
      const next = questions[at];
      return next ? { lines: itemLines(next) } : { answer: { kind: "choice", answers } };
    },
  };
};

/** Options of one line each, answered by their number alone. */
const askSimple = (head: string[], labels: readonly string[], answerAt: (at: number) => Answer): Asking => ({
  lines: [...head, ...numbered(labels), how(labels.length)],
  take: (line) => {
    const choice = choiceIn(line, labels.length);
    return choice && choice.rest === "" ? { answer: answerAt(choice.at) } : null;
  },
});

const askStart = (question: QuestionOf<"start">): Asking => {
  // A typed key would stand on the screen: here it comes from the environment.
  const options = startOptions(question).filter(({ id }) => id !== "apiKey");
  const labels = options.map(({ label, detail }) => (detail ? `${label}, ${detail}` : label));
  return askSimple(
    [...plainLines(welcome(question)), "An API key is taken from ANTHROPIC_API_KEY: leave, set it, and start again."],
    labels,
    (at) => startAnswer(options[at]!.id),
  );
};

/** A question as lines, and the reader of its answer. */
export const asking = (question: Question): Asking => {
  switch (question.kind) {
    case "permission":
      return askPermission(question);
    case "plan":
      return askPlan(question);
    case "choice":
      return askChoice(question);
    case "trust":
      return askSimple(
        ["Question: do you trust this folder?", ...plainLines(trustText(question))],
        ["Yes, I trust this folder", "No, leave"],
        (at) => ({ kind: "trust", trusted: at === 0 }),
      );
    case "start":
      return askStart(question);
    case "go_on":
      return askSimple(
        [`Question: ${oneLine(question.title)}`, ...plainLines(sanitise(question.detail))],
        ["Stop here", "Go on"],
        (at) => ({ kind: "go_on", goOn: at === 1 }),
      );
    case "mcp_server":
      return askSimple(
        [`Question: the project's MCP server ${oneLine(question.server)}`, ...plainLines(mcpServerText(question))],
        mcpServerOptions.map(({ label }) => label),
        (at) => ({ kind: "mcp_server", choice: mcpServerOptions[at]!.id }),
      );
    default:
      return unreachable(question);
  }
};
