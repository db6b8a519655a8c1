// `claude audit`: the permission decisions of a session, for a person or as JSON lines.
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { sanitise } from "../lib/sanitise.js";
import { projectDir } from "../platform/paths.js";
import { type AuditLine, auditFile, readAudit } from "../sessions/audit.js";
import { findSession } from "../sessions/find.js";
import { newestSession } from "../sessions/list.js";
import type { SubcommandIo } from "./subcommands.js";

const usage = `Usage: claude audit [session] [--json]
Prints the permission decisions of a session (an id or an exact title; the newest of this folder by default).`;

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

const row = ({ at, outcome, tool, title, by, mode, reasons, rule, isSandboxed }: AuditLine): string => {
  const why = rule === undefined ? (reasons[0] ?? "") : `${rule} · ${reasons[0] ?? ""}`;
  const where = isSandboxed ? " (sandbox)" : "";
  return `${at.replace("T", " ").slice(0, 19)}  ${outcome.padEnd(5)}  ${oneLine(`${tool}(${title})`)}${where}\n${" ".repeat(21)}by ${by}, mode ${mode}: ${oneLine(why)}`;
};

/** The transcript file of the session that is meant; a text says why there is none. */
const locate = async (name: string | undefined, { env, cwd }: SubcommandIo): Promise<{ file: string } | string> => {
  if (name === undefined) {
    const newest = await newestSession({ projectDir: projectDir(env, cwd), cwd, includeHeadless: true });
    return newest ?? `There is no session in ${cwd}.`;
  }
  const found = await findSession(name, { env, cwd });
  if (found.kind === "found") return found.session;
  if (found.kind === "none") return `No session found with the id or title "${name}".`;
  return `Several sessions are called "${name}": ${found.sessions.map(({ sessionId }) => sessionId).join(", ")}`;
};

/** Runs `claude audit …` and returns its exit code. */
export const auditCommand = async (argv: string[], io: SubcommandIo): Promise<number> => {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help || positionals.length > 1) {
      (values.help ? io.out : io.err)(`${usage}\n`);
      return values.help ? 0 : 1;
    }
    const session = await locate(positionals[0], io);
    if (typeof session === "string") {
      io.err(`${session}\n`);
      return 1;
    }
    const lines = readAudit(auditFile(dirname(session.file), basename(session.file, ".jsonl")));
    if (values.json) for (const line of lines) io.out(`${JSON.stringify(line)}\n`);
    else if (lines.length === 0) io.out("No permission decision was made in this session.\n");
    else io.out(`${lines.map(row).join("\n")}\n`);
    return 0;
  } catch (error) {
    io.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
