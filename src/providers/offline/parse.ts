// Turns a prompt in plain words into the requests of the pattern table, step by step.
import { offlinePatterns } from "./patterns.js";
import { protect, requote } from "./quoting.js";
import type { OfflineRequest } from "./requests.js";

const verbs =
  "(?:read|open|show|print|display|view|list|search|grep|find|look|run|execute|replace|change|rename|create|write|make|put|save|append|add|say|mark|plan|in\\s+\\S+\\s+replace)";
// Steps end at a new line, at "then", and before a word that begins another request.
const stepEnd = new RegExp(
  `\\s*\\n+\\s*|\\s*[,;.]?\\s+(?:and\\s+)?(?:then|after that|afterwards|finally)[,\\s]+(?:finally\\s+)?|\\s*[,;]\\s*(?:and\\s+)?(?=${verbs}\\b)|\\.\\s+(?=${verbs}\\b)|\\s+and\\s+(?=${verbs}\\b)`,
  "i",
);

const polite =
  /^(?:(?:please|kindly|now|first|firstly|next|finally|also|just|then|ok|okay|hey|and|could you|can you|would you|will you|i want you to|i'd like you to|i would like you to|let's|lets)\b[\s,:]*)+/i;

const clean = (step: string): string =>
  step
    .trim()
    .replace(/^(?:[-*]|\d+[.)])\s+/, "")
    .replace(polite, "")
    .replace(/[\s,]*\b(?:please|for me|thanks|thank you)[.!]*$/i, "")
    .trim();

/** The steps of a prompt as separate texts, quoted parts intact. */
export const splitSteps = (prompt: string): string[] => {
  const source = protect(prompt);
  return source.text
    .replace(/:\s*\n+\s*(?=\u0001)/g, ": ") // "with:" and its quoted text on the next line
    .replace(/(^|\n|\bthen\s+)(in\s+\S+),\s+(?=(?:replace|change|rename)\b)/gi, "$1$2 ")
    .split(stepEnd)
    .map(clean)
    .filter((step) => step !== "")
    .map((step) => requote(step, source));
};

/** One step as a request; `unknown` when no pattern fits. Never throws. */
export const parseStep = (step: string): OfflineRequest => {
  const source = protect(step);
  const text = clean(source.text);
  for (const { match } of offlinePatterns) {
    const request = match(text, source);
    if (request) return request;
  }
  return { kind: "unknown", text: requote(text, source) };
};

/** A whole prompt as requests, in order; at least one. */
export const parsePrompt = (prompt: string): OfflineRequest[] => {
  const source = protect(prompt);
  const whole = clean(source.text);
  for (const { match } of offlinePatterns.filter(({ takesAll }) => takesAll)) {
    const request = match(whole, source);
    if (!request) continue;
    return [request.kind === "plan" ? { ...request, steps: splitSteps(request.goal) } : request];
  }
  const steps = splitSteps(prompt);
  return steps.length === 0 ? [{ kind: "help" }] : steps.map(parseStep);
};
