// The path decision: may this path be read or written, by rules, working folders, protection and mode.
import { basename, dirname, join, resolve } from "node:path";
import type { DecisionReason } from "../protocol/permission.js";
import { matchesPath } from "./patterns.js";
import { isSecretOrDevice, type Protection, protectionOf } from "./protected.js";
import { ruleReason } from "./reasons.js";
import { fold, isBelow, type ResolvedPath, realFolder, realFolderFor, resolvePhysical } from "./resolve.js";
import { coversTool } from "./rules.js";
import type { DecisionContext, Rule } from "./types.js";

export interface PathVerdict {
  outcome: "allow" | "ask" | "deny";
  reasons: DecisionReason[];
  checks: string[];
  /** Inside a working folder by every spelling. */
  isInside: boolean;
  /** The question may not be answered by a rule or a mode lower than bypassPermissions. */
  isFixed: boolean;
  protection?: Protection;
}

type Access = "read" | "write";

/** A path as given by a tool or a shell word; `~` and `~/` mean the home folder. */
export const resolveGiven = (path: string, context: Pick<DecisionContext, "cwd" | "home">): ResolvedPath => {
  const expanded = path === "~" ? context.home : path.startsWith("~/") ? `${context.home}/${path.slice(2)}` : path;
  return resolvePhysical(expanded, context.cwd);
};

const rulesFor = (access: Access, behavior: Rule["behavior"], rules: readonly Rule[]): Rule[] => {
  // Edit allow also grants reading; whatever restricts reading also restricts writing.
  const tools = access === "read" && behavior !== "allow" ? ["Read"] : access === "read" ? ["Read", "Edit"] : ["Edit"];
  if (access === "write" && behavior !== "allow") tools.push("Read");
  return rules.filter((rule) => rule.behavior === behavior && tools.some((tool) => coversTool(rule, tool)));
};

/** The first rule of one behaviour that covers the path. What restricts needs one spelling, what allows needs all. */
export const pathRule = (
  access: Access,
  behavior: "allow" | "ask" | "deny",
  path: ResolvedPath,
  context: DecisionContext,
  asFolder = false,
): Rule | undefined => {
  const options = { platform: context.platform, asFolder };
  return rulesFor(access, behavior, context.rules).find((rule) => {
    if (rule.content === undefined) return behavior === "allow" || isOwnTool(rule, access);
    return behavior === "allow"
      ? [path.written, path.real].every((spelling) => matchesPath(rule, spelling, context, options))
      : path.spellings.some((spelling) => matchesPath(rule, spelling, context, options));
  });
};

/** A bare Read deny stops the reading tools; it does not say that nothing may be written. */
const isOwnTool = (rule: Rule, access: Access): boolean => coversTool(rule, access === "read" ? "Read" : "Edit");

/** Whether a path lies in one of the folders by its written and its real spelling. */
export const isInsideOf = (path: ResolvedPath, folders: readonly string[], context: DecisionContext): boolean => {
  const { platform } = context;
  const isFolded = platform === "darwin" || platform === "win32";
  const form = (text: string): string => (isFolded ? fold(text) : text);
  const reals = folders.map((folder) => form(realFolderFor(context, folder)));
  const all = [...folders.map(form), ...reals];
  const isReal = reals.some((folder) => isBelow(form(path.real), folder));
  return isReal && all.some((folder) => isBelow(form(path.written), folder));
};

/** Protection of a path by any spelling; what lies in a free folder counts only by its part below that folder. */
const protectionIn = (path: ResolvedPath, context: DecisionContext): Protection | undefined => {
  const found = path.spellings.map((spelling) => {
    const free = context.freeWriteDirs.find((folder) => spelling !== folder && isBelow(spelling, folder));
    return protectionOf(free ? spelling.slice(free.length) : spelling);
  });
  return found.find((kind) => kind === "persistence") ?? found.find((kind) => kind !== undefined);
};

const verdict = (
  outcome: PathVerdict["outcome"],
  reason: DecisionReason,
  rest: Partial<PathVerdict> = {},
): PathVerdict => ({
  outcome,
  reasons: [reason],
  checks: reason.check ? [reason.check] : [],
  isInside: false,
  isFixed: false,
  ...rest,
});

/** Decides about one path. `asFolder` judges a search folder by what it holds. */
export const decidePath = (access: Access, given: string, context: DecisionContext, asFolder = false): PathVerdict => {
  if (given === "" || given.includes("\0"))
    return verdict("ask", { kind: "path", text: "the path is empty or holds a NUL", check: "F1" }, { isFixed: true });
  const path = resolveGiven(given, context);
  const denied = pathRule(access, "deny", path, context, asFolder);
  if (denied) return verdict("deny", ruleReason(denied, given));
  const asked = pathRule(access, "ask", path, context, asFolder);
  if (asked) return verdict("ask", ruleReason(asked, given), { isFixed: true });
  if (path.isLoop) return verdict("ask", { kind: "path", text: `${given} is a loop of links`, check: "F1" });
  return access === "read" ? decideRead(given, path, context) : decideWrite(given, path, context);
};

const decideRead = (given: string, path: ResolvedPath, context: DecisionContext): PathVerdict => {
  if ([path.written, path.real].some(isSecretOrDevice))
    return verdict("ask", { kind: "path", text: `${given} is a device or shows a process`, check: "F2" });
  if (isInsideOf(path, context.workingDirs, context))
    return verdict("allow", { kind: "path", text: `${given} is in a working folder` }, { isInside: true });
  const allowed = pathRule("read", "allow", path, context);
  if (allowed) return verdict("allow", ruleReason(allowed, given));
  if (isInsideOf(path, [...context.freeReadDirs, ...context.freeWriteDirs], context))
    return verdict("allow", { kind: "path", text: `${given} is a file of this session` });
  return verdict("ask", { kind: "path", text: `${given} is outside the working folders`, check: "F1" });
};

const decideWrite = (given: string, path: ResolvedPath, context: DecisionContext): PathVerdict => {
  if (isPlanFile(path, context)) return verdict("allow", { kind: "path", text: `${given} is the plan file` });
  const protection = protectionIn(path, context);
  const ownGrant = protection && ownSettingsRule(path, context);
  if (ownGrant) return verdict("allow", ruleReason(ownGrant, given), { isInside: true });
  if (protection)
    return verdict(
      "ask",
      { kind: "path", text: `${given} is protected: writing it can make programs run or widen rights`, check: "F4" },
      { protection, isFixed: true },
    );
  if ([path.written, path.real].some(isSecretOrDevice))
    return verdict("ask", { kind: "path", text: `${given} is a device or a process file`, check: "F2" });
  if (isInsideOf(path, context.freeWriteDirs, context) && context.mode !== "plan")
    return verdict("allow", { kind: "path", text: `${given} is in a folder of this session` });
  const isInside = isInsideOf(path, context.workingDirs, context);
  const allowed = context.mode === "plan" ? undefined : pathRule("write", "allow", path, context);
  if (allowed && (isInside || allowed.content !== undefined))
    return verdict("allow", ruleReason(allowed, given), { isInside });
  if (!isInside) return verdict("ask", { kind: "path", text: `${given} is outside the working folders`, check: "F1" });
  if (context.mode === "acceptEdits" || context.mode === "auto")
    return verdict("allow", { kind: "mode", text: "edits in the working folders are accepted" }, { isInside });
  return verdict("ask", { kind: "mode", text: `edits ask in mode ${context.mode}` }, { isInside });
};

/** The content of the one rule that opens the project's own `.claude` folder: given by a person, for one session. */
export const ownSettingsContent = "/.claude/**";

/** Whether a path lies in the `.claude` folder of a folder the session started in, by every spelling. */
export const isOwnSettings = (path: ResolvedPath, root: string): boolean =>
  path.spellings.every((spelling) =>
    [root, realFolder(root)].some((folder) => spelling.startsWith(`${join(folder, ".claude")}/`)),
  );

/** The session's grant to edit the project's own settings, where it covers the path. No settings file can give it. */
const ownSettingsRule = (path: ResolvedPath, { rules }: DecisionContext): Rule | undefined =>
  rules.find(
    ({ source, behavior, tool, content, root }) =>
      source === "session" &&
      behavior === "allow" &&
      tool === "Edit" &&
      content === ownSettingsContent &&
      isOwnSettings(path, root),
  );

/** The plan file itself, not a link that stands in its place. */
export const isPlanFile = (path: ResolvedPath, { planPath }: DecisionContext): boolean => {
  if (planPath === undefined || path.written !== resolve(planPath)) return false;
  return path.real === join(realFolder(dirname(planPath)), basename(planPath));
};
