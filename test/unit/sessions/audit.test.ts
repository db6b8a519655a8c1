// The audit: one line a decision, for the user's eyes only, secrets masked.
import { appendFileSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type AuditLine, appendAudit, auditFile, readAudit } from "../../../src/sessions/audit.js";

const line: AuditLine = {
  at: "2026-01-01T00:00:00.000Z",
  session: "s",
  toolUseId: "t",
  tool: "Bash",
  title: "curl -H 'Authorization: Bearer abcdefghijklmnop' x",
  mode: "default",
  outcome: "deny",
  by: "rule",
  rule: "Bash(curl *)",
  source: "user",
  checks: ["D0"],
  reasons: ["deny rule Bash(curl *) covers curl -u me:sk-abcdefghijkl"],
};

test("a line is kept with its secrets masked, in a file that only the user can read", () => {
  const file = auditFile(mkdtempSync(join(tmpdir(), "audit-")), "s");
  appendAudit(file, line);
  appendAudit(file, { ...line, title: "x".repeat(2000) });
  const [first, second] = readAudit(file);
  expect(JSON.stringify(first)).not.toMatch(/abcdefghijklmnop|sk-abcdefghijkl/);
  expect(first).toMatchObject({ tool: "Bash", outcome: "deny", rule: "Bash(curl *)" });
  expect(second?.title.length).toBe(500);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("damaged lines are left out, and a session without decisions has an empty audit", () => {
  const file = auditFile(mkdtempSync(join(tmpdir(), "audit-")), "s");
  expect(readAudit(file)).toEqual([]);
  appendAudit(file, line);
  appendFileSync(file, '{"at":"cut\n{}\n');
  expect(readAudit(file)).toHaveLength(1);
});
