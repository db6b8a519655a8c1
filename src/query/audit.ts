// Writes each permission decision of a session into its audit.
import type { DecidedCall } from "../execution/context.js";
import { appendAudit, auditFile } from "../sessions/audit.js";
import type { Session } from "./session.js";
import { publish } from "./session.js";

/** Notes one decision. A disk that refuses is told once and stops nothing. */
export const auditDecision = (session: Session, decided: DecidedCall): void => {
  if (session.options.flags.persist === false) return;
  const { decision, tool, title, toolUseId, outcome, by, reason, agent, isSandboxed } = decided;
  const ruled = decision.reasons.find(({ rule }) => rule !== undefined);
  try {
    appendAudit(auditFile(session.places.projectDir, session.id), {
      at: new Date(session.options.clock.now()).toISOString(),
      session: session.id,
      toolUseId,
      tool,
      title,
      mode: session.mode,
      outcome,
      by,
      ...(ruled ? { rule: ruled.rule, source: ruled.source } : {}),
      checks: decision.checks,
      reasons: [...(reason ? [reason] : []), ...decision.reasons.map(({ text }) => text)],
      ...(agent ? { agent } : {}),
      ...(isSandboxed ? { isSandboxed } : {}),
    });
  } catch (error) {
    const text = `The audit of permission decisions cannot be written: ${(error as Error).message}`;
    publish(session, { type: "notice", level: "warning", text, key: "audit" });
  }
};
