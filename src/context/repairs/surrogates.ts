// Repair: no half of a character pair anywhere, in values or keys ("no low surrogate in string").
import { type AnyBlock, mapBlocks, type Repair } from "./repair.js";

/** Any JSON value without lone surrogates; what is well-formed keeps its identity. */
const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map(wellFormed);
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const clean = entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item)] as const);
  return clean.some(([key, item], at) => key !== entries[at]?.[0] || item !== entries[at]?.[1])
    ? Object.fromEntries(clean)
    : value;
};

const isThinking = ({ type }: AnyBlock): boolean => type === "thinking" || type === "redacted_thinking";

/** Replaces lone surrogates by the replacement character. Thinking must not be changed: it goes instead. */
export const withoutLoneSurrogates: Repair = (messages) =>
  mapBlocks(messages, (block) => {
    const clean = wellFormed(block) as AnyBlock;
    return clean !== block && isThinking(block) ? undefined : clean;
  });
