// The classifier of the auto mode: a fast one-word pass that leans towards blocking, then a reasoned pass on the same prefix.
// It is shown what the person wrote and the inputs of calls: never the model's prose, never what a tool gave back.
import { blocksOf, type Message } from "../protocol/messages.js";
import { fastQuestion, reasonedQuestion } from "./classifier-prose.js";

export interface ClassifierVerdict {
  outcome: "allow" | "block" | "ask";
  /** For the person and the audit; the model is never told. */
  reason: string;
  stage: "fast" | "reasoned";
}

export interface JudgedCall {
  tool: string;
  input: Record<string, unknown>;
  /** Why the rules did not decide, in the decision's own words. */
  reasons: readonly string[];
  cwd: string;
}

/** Asks the model: the shared prefix and one question. Throws an Error with the reason. */
export type AskClassifier = (prefix: string, question: string, stage: ClassifierVerdict["stage"]) => Promise<string>;

const maxTextChars = 4000; // of one earlier line
const maxPrefixChars = 120_000; // older lines give way
const maxCallChars = 40_000; // a longer input cannot be judged whole

const cut = (text: string): string =>
  text.length > maxTextChars ? `${text.slice(0, maxTextChars)}… (${text.length - maxTextChars} more characters)` : text;

const cutInput = (input: unknown): unknown => {
  const text = JSON.stringify(input);
  return text.length > maxTextChars ? cut(text) : input;
};

/**
 * One JSON line for each thing the person wrote and each call, oldest first. User messages hold much that nobody typed
 * (reminders, notices, summaries), so only texts in `typed` count; those that no message holds any more come first.
 */
export const conversationLines = (messages: readonly Message[], typed: readonly string[]): string[] => {
  const said = new Set(typed.map((text) => text.trim()));
  const standing = new Set<string>();
  const lines = messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block): string[] => {
      const text = role === "user" && block.type === "text" ? block.text.trim() : undefined;
      if (text !== undefined && said.has(text)) {
        standing.add(text);
        return [JSON.stringify({ person: cut(text) })];
      }
      if (role === "assistant" && block.type === "tool_use")
        return [JSON.stringify({ call: block.name, input: cutInput(block.input) })];
      return [];
    }),
  );
  const earlier = [...said].filter((text) => text !== "" && !standing.has(text));
  return [...earlier.map((text) => JSON.stringify({ person: cut(text) })), ...lines];
};

const newestThatFit = (lines: readonly string[]): string[] => {
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.toReversed()) {
    chars += line.length + 1;
    if (chars > maxPrefixChars) return ['{"note":"earlier lines are left out"}', ...kept];
    kept.unshift(line);
  }
  return kept;
};

/** What both passes read: the conversation's lines and the call to decide. Undefined when the call is too long to be judged whole. */
export const classifierPrefix = (
  messages: readonly Message[],
  typed: readonly string[],
  call: JudgedCall,
): string | undefined => {
  const decided = JSON.stringify({
    decide: call.tool,
    input: call.input,
    folder: call.cwd,
    not_decided_by_rules_because: call.reasons,
  });
  if (decided.length > maxCallChars) return undefined;
  return [...newestThatFit(conversationLines(messages, typed)), decided].join("\n");
};

/** The one word of the first pass; undefined when it is anything else. */
export const parseFast = (text: string): "allow" | "block" | undefined => {
  const word = text.trim().match(/^(allow|block)[.!]?$/i)?.[1];
  return word?.toLowerCase() as "allow" | "block" | undefined;
};

/** Verdict and reason of the second pass; undefined when there is not exactly one verdict. */
export const parseReasoned = (text: string): Pick<ClassifierVerdict, "outcome" | "reason"> | undefined => {
  const verdicts = [...text.matchAll(/<verdict>\s*([a-z]+)\s*[.!]?\s*<\/verdict>/gi)];
  const outcome = verdicts[0]?.[1]?.toLowerCase();
  if (verdicts.length !== 1 || (outcome !== "allow" && outcome !== "block" && outcome !== "ask")) return undefined;
  const reason = text
    .match(/<reason>([\s\S]*?)<\/reason>/i)?.[1]
    ?.replace(/\s+/g, " ")
    .trim();
  return { outcome, reason: (reason || "no reason was given").slice(0, 500) };
};

/**
 * Judges one call. What cannot be parsed blocks. Throws what `ask` throws: the caller decides what an unreachable
 * classifier means.
 */
export const classify = async (
  { messages, typed }: { messages: readonly Message[]; typed: readonly string[] },
  call: JudgedCall,
  ask: AskClassifier,
): Promise<ClassifierVerdict> => {
  const prefix = classifierPrefix(messages, typed, call);
  if (prefix === undefined) return { outcome: "ask", reason: "the call is too long to be judged", stage: "fast" };
  const fast = parseFast(await ask(prefix, fastQuestion, "fast"));
  if (fast === "allow") return { outcome: "allow", reason: "plainly harmless or asked for", stage: "fast" };
  const reasoned = parseReasoned(await ask(prefix, reasonedQuestion, "reasoned"));
  if (!reasoned) return { outcome: "block", reason: "the classifier's verdict could not be read", stage: "reasoned" };
  return { ...reasoned, stage: "reasoned" };
};
