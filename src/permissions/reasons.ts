// Small makers of reasons and decisions.
import type { DecisionReason, Suggestion } from "../protocol/permission.js";
import type { Behavior, Decision, Rule } from "./types.js";

export const ruleReason = (rule: Rule, what: string): DecisionReason => ({
  kind: "rule",
  text: `${rule.behavior} rule ${rule.text} (${rule.source}${rule.file ? `, ${rule.file}${rule.line ? `:${rule.line}` : ""}` : ""}) covers ${what}`,
  rule: rule.text,
  source: rule.source,
});

export const modeReason = (text: string): DecisionReason => ({ kind: "mode", text });

export const checkReason = (check: string, text: string): DecisionReason => ({ kind: "check", text, check });

/** A decision; checks are collected from its reasons. */
export const decision = (outcome: Behavior, reasons: DecisionReason[], suggestions: Suggestion[] = []): Decision => ({
  outcome,
  reasons,
  suggestions,
  checks: [...new Set(reasons.flatMap(({ check }) => check ?? []))],
});
