// Judges the paths of a shell command: static ones like a file tool's, globs by what they match, listings by their folder.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DecisionReason } from "../protocol/permission.js";
import type { Operand } from "./bash/analysis.js";
import { matchGlob } from "./bash/glob.js";
import { decidePath, type PathVerdict } from "./paths.js";
import { checkReason } from "./reasons.js";
import { coversTool } from "./rules.js";
import type { DecisionContext } from "./types.js";

type Access = "read" | "write";

export interface OperandVerdict {
  outcome: "allow" | "ask" | "deny";
  reasons: DecisionReason[];
  isFixed: boolean;
  protection?: "protected" | "persistence";
  /** An ask rule spoke. */
  isRule: boolean;
  /** Nobody knows which file it is. */
  isUnknown?: boolean;
}

const maxMatches = 3000; // names looked at for one glob or folder before giving up

const hasPathRules = (context: DecisionContext, behavior: "deny" | "ask"): boolean =>
  context.rules.some((rule) => rule.behavior === behavior && (coversTool(rule, "Read") || coversTool(rule, "Edit")));

/** Entries below a folder, at most `maxMatches`; undefined when there are more. */
const entriesBelow = (folder: string): string[] | undefined => {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    let entries: ReturnType<typeof readdir>;
    try {
      entries = readdir(next);
    } catch {
      continue; // not a folder, or unreadable for the command too
    }
    for (const entry of entries) {
      if (found.length >= maxMatches) return undefined;
      found.push(join(next, entry.name));
      if (entry.isDirectory() && entry.name !== ".git") folders.push(join(next, entry.name));
    }
  }
  return found;
};

const readdir = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** A reason when a deny rule certainly covers the operand. */
export const denyOperand = (access: Access, operand: Operand, context: DecisionContext): DecisionReason | undefined => {
  if (operand.path === undefined || !hasPathRules(context, "deny")) return undefined;
  const found = decidePath(access, operand.path, context, operand.isRecursive === true);
  return found.outcome === "deny" ? found.reasons[0] : undefined;
};

const fromPath = (found: PathVerdict): OperandVerdict => ({
  outcome: found.outcome,
  reasons: found.reasons,
  isFixed: found.isFixed,
  protection: found.protection,
  isRule: found.reasons.some(({ kind }) => kind === "rule"),
});

const ask = (check: string, text: string, isFixed = false): OperandVerdict => ({
  outcome: "ask",
  reasons: [checkReason(check, text)],
  isFixed,
  isRule: isFixed,
});

const allowed = (text: string): OperandVerdict => ({
  outcome: "allow",
  reasons: [{ kind: "path", text }],
  isFixed: false,
  isRule: false,
});

/** Devices that hold nothing, or what the command is given anyway. */
const harmlessFiles: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdin", "/dev/fd/0"]);

/** The strongest verdict over the paths a glob or folder stands for: any that does not pass makes it ask. */
const judgeMany = (
  access: Access,
  paths: readonly string[],
  text: string,
  context: DecisionContext,
): OperandVerdict => {
  for (const path of paths) {
    const found = decidePath(access, path, context);
    if (found.outcome === "deny") return ask("F3", `${text} can match ${path}, which a rule denies`, true);
    if (found.outcome === "ask") return fromPath(found);
  }
  return {
    outcome: "allow",
    reasons: [{ kind: "path", text: `${text} is in a working folder` }],
    isFixed: false,
    isRule: false,
  };
};

const judgeFolder = (access: Access, folder: string, operand: Operand, context: DecisionContext): OperandVerdict => {
  const own = decidePath(access, folder, context, true);
  if (own.outcome !== "allow")
    return own.outcome === "deny" ? ask("F3", `${operand.text} can reach what a rule denies`, true) : fromPath(own);
  if (operand.isMetadata || !(hasPathRules(context, "deny") || hasPathRules(context, "ask"))) return fromPath(own);
  const entries = entriesBelow(folder);
  if (!entries) return ask("F3", `${operand.text} holds too many files to compare with the deny rules`, true);
  return judgeMany(access, entries, operand.text, context);
};

/** Decides about one operand. */
export const judgeOperand = (access: Access, operand: Operand, context: DecisionContext): OperandVerdict => {
  const { path, glob, under, text } = operand;
  if (path !== undefined && access === "read" && harmlessFiles.has(path)) return allowed(`${text} is harmless`);
  if (path !== undefined) {
    const own = fromPath(decidePath(access, path, context, operand.isRecursive === true));
    return own.outcome === "allow" && operand.isRecursive ? judgeFolder(access, path, operand, context) : own;
  }
  if (glob !== undefined) {
    const folder = glob.slice(0, Math.max(1, glob.slice(0, glob.search(/[*?[]/)).lastIndexOf("/")));
    const own = decidePath(access, folder, context);
    if (own.outcome !== "allow") return fromPath(own);
    const matches = matchGlob(glob, maxMatches);
    if (!matches) return ask("F3", `${text} matches too many files to check`, true);
    return judgeMany(access, matches, text, context);
  }
  if (under !== undefined) return judgeFolder(access, under, operand, context);
  return { ...ask("F1", `it is not known which file ${text} is`), isUnknown: true };
};
