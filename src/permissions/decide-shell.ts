// The decision about a shell command: rules, limits, mode and the analysis of every part of it.
import type { DecisionReason } from "../protocol/permission.js";
import type { Finding, Operand, ShellAnalysis, ShellPart } from "./bash/analysis.js";
import { isWildcard, matchesCommand, matchesContent } from "./match.js";
import { denyOperand, judgeOperand } from "./operands.js";
import { isCriticalFolder } from "./protected.js";
import { checkReason, decision, modeReason, ruleReason } from "./reasons.js";
import { coversTool } from "./rules.js";
import { suggestForShell } from "./suggest.js";
import type { Behavior, Decision, DecisionContext, DecisionRequest, Rule } from "./types.js";

const shellRules = ({ rules }: DecisionContext, behavior: Behavior): Rule[] =>
  rules.filter((rule) => rule.behavior === behavior && coversTool(rule, "Bash"));

/** A rule that names another shell tool (Monitor) as a whole. */
const ownToolRule = (behavior: Behavior, { tool }: DecisionRequest, { rules }: DecisionContext): Rule | undefined =>
  rules.find((rule) => rule.behavior === behavior && rule.content === undefined && coversTool(rule, tool));

/** A rule on the command text; `param:value` rules on other fields are matched apart. */
const isOnText = ({ content }: Rule): boolean =>
  content !== undefined && !/^(command|file_path|path|url):/.test(content);

/** The first deny or ask rule that covers the tool, any part in any form, or the whole text. */
const strictRule = (
  behavior: "deny" | "ask" | "sandbox",
  request: DecisionRequest,
  shell: ShellAnalysis | undefined,
  context: DecisionContext,
): [Rule, string] | undefined => {
  const own = ownToolRule(behavior, request, context);
  if (own) return [own, "every command"];
  for (const rule of shellRules(context, behavior)) {
    const { content } = rule;
    if (content === undefined) return [rule, "every command"];
    if (matchesContent(rule, request.tool, request.input)) return [rule, "this call"];
    if (!isOnText(rule)) continue;
    const part = shell?.parts.find(({ strictTexts }) => strictTexts.some((text) => matchesCommand(content, text)));
    if (part) return [rule, part.text];
    const whole = shell?.wholeText ?? request.facts?.command ?? "";
    if ((content.startsWith("*") || !shell) && matchesCommand(content, whole)) return [rule, "the command"];
  }
  return undefined;
};

const operandsOf = (shell: ShellAnalysis): ["read" | "write", Operand][] => [
  ...shell.parts.flatMap(({ reads, writes }): ["read" | "write", Operand][] => [
    ...reads.map((operand): ["read", Operand] => ["read", operand]),
    ...writes.map((operand): ["write", Operand] => ["write", operand]),
  ]),
  ...shell.redirections.map(({ access, target }): ["read" | "write", Operand] => [access, target]),
];

/** Whether the command runs inside the sandbox without a rule that says so. Excluded ones only run elsewhere, by the same rules. */
const runsInside = ({ input }: DecisionRequest, { sandbox }: DecisionContext, shell?: ShellAnalysis): boolean => {
  if (!sandbox?.takesAll) return false;
  if (input.dangerouslyDisableSandbox === true && sandbox.mayLeave) return false;
  const isExcluded = (text: string) => sandbox.excluded.some((pattern) => matchesCommand(pattern, text));
  return !shell?.parts.some(({ allowText, strictTexts }) => [allowText, ...strictTexts].some(isExcluded));
};

/** A bare ask rule does not speak for what runs inside; scoped ones do. */
const withoutBareAsk = (context: DecisionContext): DecisionContext => ({
  ...context,
  rules: context.rules.filter(
    (rule) => !(rule.behavior === "ask" && rule.content === undefined && coversTool(rule, "Bash")),
  ),
});

/** Decides about a command, and whether it runs inside the sandbox. */
export const decideShell = (request: DecisionRequest, context: DecisionContext, shell?: ShellAnalysis): Decision => {
  const isInside = runsInside(request, context, shell);
  const isAuto = isInside && context.sandbox?.autoAllows === true && context.mode !== "plan";
  const found = judgeShell(request, isAuto ? withoutBareAsk(context) : context, { shell, isAuto });
  const isBoxed = found.outcome === "sandbox" && context.sandbox !== undefined;
  return found.outcome !== "deny" && (isInside || isBoxed) ? { ...found, isConfined: true } : found;
};

/** Without an analysis it asks, unless rules or the mode decide by the text alone. */
const judgeShell = (
  request: DecisionRequest,
  context: DecisionContext,
  { shell, isAuto }: { shell?: ShellAnalysis; isAuto: boolean },
): Decision => {
  if (shell?.refusal) return decision("deny", [checkReason(shell.refusal.check, shell.refusal.text)]);
  const denied = strictRule("deny", request, shell, context);
  if (denied) return decision("deny", [ruleReason(...denied)]);
  const operands = shell ? operandsOf(shell) : [];
  for (const [access, operand] of operands) {
    const reason = denyOperand(access, operand, context);
    if (reason) return decision("deny", [reason]);
  }
  const asked = strictRule("ask", request, shell, context);
  if (asked) return { ...decision("ask", [ruleReason(...asked)]), isForPerson: true };
  const limits = fixedLimits(shell, operands, context);
  if (limits.length > 0) {
    // What even the bypass mode asks for is for a person alone.
    const isForPerson = fixedLimits(shell, operands, { ...context, mode: "bypassPermissions" }).length > 0;
    return { ...decision("ask", limits), isForPerson, isLimit: true };
  }
  const boxed = strictRule("sandbox", request, shell, context);
  if (boxed) return decision("sandbox", [ruleReason(...boxed)]);
  if (context.mode === "bypassPermissions") return decision("allow", [modeReason("mode bypassPermissions runs it")]);
  const found = judgeParts(shell, context);
  if (found.checks.some(isHiddenText)) return { ...found, isForPerson: true };
  if (found.outcome !== "ask" || !isAuto || !shell) return found;
  return decision("sandbox", [{ kind: "sandbox", text: "it runs inside the sandbox, where it needs no question" }]);
};

/** What holds in every mode and under every allow rule. */
const fixedLimits = (
  shell: ShellAnalysis | undefined,
  operands: ["read" | "write", Operand][],
  context: DecisionContext,
): DecisionReason[] => {
  const hasScoped = context.rules.some(
    (rule) =>
      (rule.behavior === "deny" || rule.behavior === "ask") && rule.content !== undefined && coversTool(rule, "Bash"),
  );
  const reasons: DecisionReason[] = [];
  if (hasScoped && (!shell || shell.isOpaque))
    reasons.push(checkReason("P1", "deny or ask rules exist and not everything this runs can be seen"));
  if (!shell) return reasons;
  for (const { removals, cwd } of shell.parts)
    for (const operand of removals)
      if (isCriticalRemoval(operand, cwd, context)) reasons.push(checkReason("F5", `would remove ${operand.text}`));
  for (const [access, operand] of operands) {
    const found = judgeOperand(access, operand, context);
    if (
      found.outcome === "ask" &&
      found.isFixed &&
      !(context.mode === "bypassPermissions" && found.protection !== "persistence" && !found.isRule)
    )
      reasons.push(...found.reasons);
  }
  return reasons;
};

const isCriticalRemoval = (operand: Operand, cwd: string | undefined, context: DecisionContext): boolean => {
  const { path, glob, under } = operand;
  const base = cwd ?? context.cwd;
  if (path !== undefined) return isCriticalFolder(path, base, context.workingDirs, context.home);
  if (glob !== undefined) {
    const folder = glob.slice(0, Math.max(1, glob.slice(0, glob.search(/[*?[]/)).lastIndexOf("/")));
    // Everything in a folder counts as the folder itself; the working folder's own files may match a pattern.
    const isAll = /^[*?.[\]!]*$/.test(glob.slice(folder.length + 1).split("/")[0] ?? "");
    return isAll && isCriticalFolder(folder, base, context.workingDirs, context.home);
  }
  return under === undefined && operand.text.includes("/");
};

/** Every part and every redirection must pass on its own. */
const judgeParts = (shell: ShellAnalysis | undefined, context: DecisionContext): Decision => {
  if (!shell) return decision("ask", [checkReason("P1", "the command could not be analysed")]);
  const bare =
    context.mode === "plan" ? undefined : shellRules(context, "allow").find(({ content }) => content === undefined);
  const reasons: DecisionReason[] = [];
  const grants: DecisionReason[] = [];
  const uncovered: ShellPart[] = [];
  if (bare) grants.push(ruleReason(bare, "every command"));
  reasons.push(...shell.findings.filter(({ check }) => !bare || isHiddenText(check)).map(toReason));
  for (const part of shell.parts) {
    if (bare) break;
    const found = judgePart(part, context);
    if (found.isAllowed) grants.push(...found.reasons);
    else {
      reasons.push(...found.reasons);
      uncovered.push(part);
    }
  }
  const partReasons = reasons.length;
  for (const { target, access, findings } of shell.redirections) {
    const found = judgeOperand(access, target, context);
    const open = bare && access === "read" ? [] : findings;
    if (open.length > 0) reasons.push(...open.map(toReason));
    else if (found.outcome !== "allow" && !(bare && access === "read"))
      reasons.push(...withCheck(found.reasons, access));
    else grants.push(...found.reasons);
  }
  if (reasons.length === 0)
    return decision("allow", grants.length > 0 ? unique(grants) : [{ kind: "readOnly", text: "it does nothing" }]);
  // An offer that leaves another reason to ask would not keep its word.
  const isOnlyParts = shell.findings.length === 0 && reasons.length === partReasons;
  const isOffered = context.mode !== "plan" && uncovered.length > 0 && isOnlyParts;
  const ask = decision("ask", unique(reasons), isOffered ? suggestForShell(uncovered, context) : []);
  if (context.mode === "plan") ask.reasons.push(modeReason("plan mode: only commands that read run unasked"));
  return ask;
};

const isHiddenText = (check: string): boolean => check === "T2" || check === "T3" || check === "T4" || check === "T5";
const toReason = ({ check, text }: Finding): DecisionReason => checkReason(check, text);
const withCheck = (reasons: DecisionReason[], access: "read" | "write"): DecisionReason[] =>
  reasons.map((reason) => ({ ...reason, check: reason.check ?? (access === "write" ? "R1" : "R3") }));

const unique = (reasons: DecisionReason[]): DecisionReason[] => [
  ...new Map(reasons.map((reason) => [`${reason.check ?? ""}${reason.text}`, reason])).values(),
];

interface PartVerdict {
  isAllowed: boolean;
  reasons: DecisionReason[];
}

const judgePart = (part: ShellPart, context: DecisionContext): PartVerdict => {
  const open = [
    ...part.reads.map((operand) => judgeOperand("read", operand, context)),
    ...part.writes.map((operand) => judgeOperand("write", operand, context)),
  ].filter(({ outcome }) => outcome !== "allow");
  if (part.findings.length === 0 && open.length === 0)
    return { isAllowed: true, reasons: [{ kind: "readOnly", text: `${part.text} only reads` }] };
  if (context.mode !== "plan") {
    const rule = allowRule(part, context);
    const isExact = rule?.content !== undefined && !isWildcard(rule.content);
    // The rule speaks for what the command does, not for places outside the folders or protected files.
    const isBarred = open.some(
      ({ outcome, reasons, isUnknown }) =>
        outcome === "deny" || (!isUnknown && reasons.some(({ check }) => check !== undefined)),
    );
    if (rule && (isExact || !isBarred)) return { isAllowed: true, reasons: [ruleReason(rule, part.text)] };
  }
  const isEdit = context.mode === "acceptEdits" || (context.mode === "auto" && part.removals.length === 0);
  if (isEdit && part.isFileCommand && part.unruled.length === 0 && open.length === 0)
    return { isAllowed: true, reasons: [modeReason(`mode ${context.mode} runs ${part.text}`)] };
  const reasons = [...part.findings.map(toReason), ...open.flatMap(({ reasons }) => reasons)];
  return { isAllowed: false, reasons };
};

/** The allow rule that covers one part. An exact rule needs every word to be known. */
const allowRule = (part: ShellPart, context: DecisionContext): Rule | undefined => {
  if (part.unruled.length > 0) return undefined;
  return shellRules(context, "allow").find(({ content }) => {
    if (content === undefined || !matchesCommand(content, part.allowText)) return false;
    return isWildcard(content) || part.isStatic;
  });
};
