// Writes each permission decision of a session into its audit.
import type { DecidedCall } from "../execution/context.js";
import { maskSecrets } from "../platform/log.js";
import type { WhyEntry } from "../protocol/why.js";
import { appendAudit, auditFile } from "../sessions/audit.js";
import type { Session } from "./session.js";
import { publish } from "./session.js";

const maxTitle = 120;

const whyOf = (
  { mode }: Session,
  { tool, title, outcome, by, reason, decision, isSandboxed }: DecidedCall,
): WhyEntry => {
  const what = `${tool} ${title.replace(/\s+/g, " ")}`.slice(0, maxTitle);
  const where = isSandboxed ? " inside the sandbox" : "";
  const reasons = [...(reason ? [reason] : []), ...decision.reasons.map(({ text }) => text)];
  return {
    kind: "permission",
    what: `${outcome === "allow" ? `Allowed${where}` : "Refused"}: ${maskSecrets(what)}`,
    why: maskSecrets(`by ${by}, mode ${mode}: ${reasons.join("; ")}`),
  };
};

/** Notes one decision for /why and in the audit. A disk that refuses is told once and stops nothing. */
export const auditDecision = (session: Session, decided: DecidedCall): void => {
  session.why.add(whyOf(session, decided));
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
