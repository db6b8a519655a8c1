// The audit of a session: one JSON line for each permission decision, readable by the user only, secrets masked.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { maskSecrets } from "../platform/log.js";

export const auditLine = z.object({
  at: z.string(),
  session: z.string(),
  toolUseId: z.string(),
  tool: z.string(),
  /** The call's title, masked and cut. */
  title: z.string(),
  mode: z.string(),
  outcome: z.enum(["allow", "deny"]),
  /** Who had the last word: rule, mode, check, path, readOnly, tool, hook, sandbox, classifier, person, nobody. */
  by: z.string(),
  rule: z.string().optional(),
  source: z.string().optional(),
  checks: z.array(z.string()),
  reasons: z.array(z.string()),
  /** Id of the Agent call whose subagent made this one. */
  agent: z.string().optional(),
  isSandboxed: z.boolean().optional(),
});
export type AuditLine = z.infer<typeof auditLine>;

const maxTitleChars = 500;
const maxReasonChars = 300;

const clean = (text: string, max: number): string => {
  const masked = maskSecrets(text);
  return masked.length > max ? `${masked.slice(0, max - 1)}…` : masked;
};

/** File of a session's audit; the folder holds the session's other files too. */
export const auditFile = (projectDir: string, sessionId: string): string => join(projectDir, sessionId, "audit.jsonl");

/** Adds one line (file 0600, folder 0700). Throws when the disk refuses. */
export const appendAudit = (file: string, line: AuditLine): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const masked: AuditLine = {
    ...line,
    title: clean(line.title, maxTitleChars),
    reasons: line.reasons.map((reason) => clean(reason, maxReasonChars)),
  };
  appendFileSync(file, `${JSON.stringify(masked)}\n`, { mode: 0o600 });
};

/** The lines of an audit, oldest first; damaged ones are left out. None when there is no file. */
export const readAudit = (file: string): AuditLine[] => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // no decision was made in this session
  }
  return text.split("\n").flatMap((row) => {
    try {
      const parsed = auditLine.safeParse(JSON.parse(row));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return []; // a line cut by a crash
    }
  });
};
