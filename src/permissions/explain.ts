// A decision in words and as plain data, for `claude permissions test`, /permissions test and the audit.
import type { DecisionReason, PermissionMode, RuleSource } from "../protocol/permission.js";
import type { Decision } from "./types.js";

export interface Explanation {
  outcome: Decision["outcome"];
  /** Ids of the safety checks that spoke. */
  checks: string[];
  /** The rule that spoke first, as written. */
  rule?: string;
  source?: RuleSource;
  reasons: string[];
  /** "Don't ask again" offers. */
  offers: string[];
}

/** The decision as plain data. */
export const explain = ({ outcome, checks, reasons, suggestions }: Decision): Explanation => {
  const ruled = reasons.find(({ rule }) => rule !== undefined);
  return {
    outcome,
    checks,
    ...(ruled ? { rule: ruled.rule, source: ruled.source } : {}),
    reasons: reasons.map(({ text }) => text),
    offers: suggestions.map(({ label }) => label),
  };
};

const verdicts: Readonly<Record<Decision["outcome"], string>> = {
  allow: "allow: it would run without a question",
  ask: "ask: a person would be asked; where nobody can be asked it is refused",
  deny: "deny: it would be refused",
  sandbox: "sandbox: it would run inside the sandbox only; without one a person is asked",
};

const reasonLine = ({ kind, check, text }: DecisionReason): string => `  ${(check ?? kind).padEnd(8)} ${text}`;

/** Several lines for a person: the outcome, then every reason with its check, then what would be offered. */
export const explainText = (decision: Decision, mode: PermissionMode): string =>
  [
    verdicts[decision.outcome],
    `  mode     ${mode}`,
    ...decision.reasons.map(reasonLine),
    ...decision.suggestions.map(({ label }) => `  offer    ${label}`),
  ].join("\n");
