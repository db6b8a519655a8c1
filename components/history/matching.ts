// Which earlier prompts fit what is looked for. Pure.
import { isSubsequence } from "../../src/lib/path-search.js";
import type { EarlierPrompt } from "../../src/protocol/requests.js";

export const searchScopes = ["session", "project", "all"] as const;
export type SearchScope = (typeof searchScopes)[number];

/** Longer prompts are only searched for the words as they are. */
const maxFuzzy = 2_000;

export type Fit = "words" | "letters" | null;

/** "words": all words of the query occur; "letters": its letters occur in their order; null: neither. */
export const fitOf = (lowerText: string, words: readonly string[], letters: string): Fit => {
  if (words.every((word) => lowerText.includes(word))) return "words";
  return lowerText.length <= maxFuzzy && isSubsequence(lowerText, letters) ? "letters" : null;
};

/** The words of a query, in small letters. */
export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

export const isInScope = ({ isSession, isProject }: EarlierPrompt, scope: SearchScope): boolean =>
  scope === "all" || (scope === "project" ? isProject : isSession);
