// What the engine decided and why: the entries that /why lists. Plain data, so that every room can make one.

/** Kinds in the order in which /why shows them. */
export const whyKinds = [
  "loop",
  "retry",
  "repair",
  "compaction",
  "truncation",
  "cache",
  "checkpoint",
  "permission",
  "hook",
] as const;
export type WhyKind = (typeof whyKinds)[number];

export interface WhyEntry {
  kind: WhyKind;
  /** What was done, one line: "Asked again after 2 s". */
  what: string;
  /** Why, one line. */
  why: string;
}
