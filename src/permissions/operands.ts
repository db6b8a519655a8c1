// Judges the paths of a shell command: static ones like a file tool's, globs by what they match, listings by their folder.
import type { DecisionReason } from "../protocol/permission.js";
import type { Operand } from "./bash/analysis.js";
import { type GlobMatch, globFolder, matchGlob } from "./bash/glob.js";
import { decidePath, type PathVerdict } from "./paths.js";
import { restrictedAmong, restrictedBelow } from "./reach.js";
import { checkReason } from "./reasons.js";
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

const maxMatches = 3000; // names looked at for one glob before giving up

const hasPathRules = ({ rules }: DecisionContext): boolean =>
  rules.some(({ behavior, tool }) => behavior === "deny" && tool !== "Bash");

/** A reason when a deny rule certainly covers the operand. */
export const denyOperand = (access: Access, operand: Operand, context: DecisionContext): DecisionReason | undefined => {
  if (operand.path === undefined || !hasPathRules(context)) return undefined;
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

/** Judges what a glob matches; its folder is known to be fine, so only links and rules can object. */
const judgeMatches = (
  access: Access,
  matches: readonly GlobMatch[],
  text: string,
  context: DecisionContext,
): OperandVerdict => {
  const plain = matches.filter(({ isLink }) => !isLink).map(({ path }) => path);
  const restricted = restrictedAmong(plain, context);
  if (restricted) return ask("F3", `${text} can match ${restricted.path}, which ${restricted.rule.text} covers`, true);
  for (const { path, isLink } of matches) {
    // A protected name among the matches counts for writing; reading asks nothing more of plain files.
    if (!isLink && access === "read") continue;
    const found = decidePath(access, path, context);
    if (found.outcome === "deny") return ask("F3", `${text} can match ${path}, which a rule denies`, true);
    if (found.outcome === "ask" && (isLink || found.isFixed)) return fromPath(found);
  }
  return allowed(`${text} is in a working folder`);
};

const judgeFolder = (access: Access, folder: string, operand: Operand, context: DecisionContext): OperandVerdict => {
  const own = decidePath(access, folder, context, true);
  if (own.outcome === "deny") return ask("F3", `${operand.text} can reach what a rule denies`, true);
  if (own.outcome !== "allow" || operand.isMetadata) return fromPath(own);
  const restricted = restrictedBelow(folder, context);
  if (restricted === "too many")
    return ask("F3", `${operand.text} holds too many files to compare with the deny rules`, true);
  if (restricted)
    return ask("F3", `${operand.text} reaches ${restricted.path}, which ${restricted.rule.text} covers`, true);
  return fromPath(own);
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
    const own = decidePath(access, globFolder(glob), context);
    const isFree = own.outcome === "allow" || (access === "write" && own.isInside && !own.isFixed);
    if (!isFree) return fromPath(own);
    const matches = matchGlob(glob, maxMatches);
    if (!matches) return ask("F3", `${text} matches too many files to check`, true);
    const found = judgeMatches(access, matches, text, context);
    return found.outcome === "allow" ? fromPath(own) : found;
  }
  if (under !== undefined) return judgeFolder(access, under, operand, context);
  return { ...ask("F1", `it is not known which file ${text} is`), isUnknown: true };
};
