// The one decision function: facts of a call, rules and mode in; outcome with every reason out. Pure and synchronous.
import type { DecisionReason } from "../protocol/permission.js";
import type { ShellAnalysis } from "./bash/analysis.js";
import { decideShell } from "./decide-shell.js";
import { isDocumentationUrl } from "./documentation-hosts.js";
import { matchesContent } from "./match.js";
import { decidePath, isPlanFile, type PathVerdict, resolveGiven } from "./paths.js";
import { decision, modeReason, ruleReason } from "./reasons.js";
import { coversTool } from "./rules.js";
import { suggestForOwnSettings, suggestForPaths, suggestForTool } from "./suggest.js";
import type { Behavior, Decision, DecisionContext, DecisionRequest, Rule } from "./types.js";

const shellTools: ReadonlySet<string> = new Set(["Bash", "Monitor"]);
const searchTools: ReadonlySet<string> = new Set(["Glob", "Grep", "LSP"]);

/**
 * Decides one call. `shell` is the analysis of `facts.command`; without it a command always asks.
 * An ask becomes a deny in mode dontAsk. Never throws: an error inside means ask.
 */
export const decide = (request: DecisionRequest, context: DecisionContext, shell?: ShellAnalysis): Decision => {
  try {
    const found = isShell(request) ? decideShell(request, context, shell) : decideTool(request, context);
    return inMode(found, context);
  } catch (error) {
    const text = `the check itself failed (${(error as Error).message})`;
    return inMode(decision("ask", [{ kind: "check", text }]), context);
  }
};

const isShell = ({ tool, facts }: DecisionRequest): boolean => shellTools.has(tool) || facts?.command !== undefined;

/** The last word of the mode: nobody is asked in dontAsk. */
const inMode = (found: Decision, { mode }: DecisionContext): Decision => {
  if (found.outcome !== "ask") return found;
  if (mode === "plan") return { ...found, isLimit: true }; // plan mode is never escaped
  if (mode !== "dontAsk") return found;
  const reasons = [...found.reasons, modeReason("mode dontAsk denies what would ask")];
  return { ...found, outcome: "deny", reasons, wasAsk: true };
};

/** The first rule of a behaviour for the tool as a whole or for its content (paths are judged elsewhere). */
const toolRule = (
  behavior: Behavior,
  { tool, input, facts }: DecisionRequest,
  rules: readonly Rule[],
): Rule | undefined =>
  rules.find((rule) => {
    if (rule.behavior !== behavior) return false;
    if (coversTool(rule, tool)) return matchesContent(rule, tool, input);
    const covers = (name: string) => rule.content === undefined && coversTool(rule, name);
    // A bare Edit or Read rule speaks for every tool that writes or reads files.
    return (facts?.writes.length ?? 0) > 0 ? covers("Edit") : (facts?.reads.length ?? 0) > 0 && covers("Read");
  });

const decideTool = (request: DecisionRequest, context: DecisionContext): Decision => {
  const { tool, facts } = request;
  const { rules, mode } = context;
  const denied = toolRule("deny", request, rules);
  if (denied) return decision("deny", [ruleReason(denied, `this use of ${tool}`)]);
  const paths = pathVerdicts(request, context);
  const deniedPath = paths.find(({ outcome }) => outcome === "deny");
  if (deniedPath) return decision("deny", deniedPath.reasons);
  const asked = toolRule("ask", request, rules);
  if (asked) return { ...decision("ask", [ruleReason(asked, `this use of ${tool}`)]), isForPerson: true };
  if (facts?.needsPerson)
    return {
      ...decision("ask", [{ kind: "tool", text: `${tool} wants a person's yes each time` }]),
      isForPerson: true,
    };
  if (facts?.isInteraction)
    return decision("allow", [{ kind: "tool", text: `${tool} is itself a question to the person` }]);
  const limit = limitOf(request, context, paths);
  if (limit) {
    const isForPerson = limitOf(request, { ...context, mode: "bypassPermissions" }, paths) !== undefined;
    return { ...limit, isForPerson, isLimit: true };
  }
  const boxed = toolRule("sandbox", request, rules);
  if (boxed) return decision("sandbox", [ruleReason(boxed, `this use of ${tool}`)]);
  if (mode === "bypassPermissions") return decision("allow", [modeReason("mode bypassPermissions runs it")]);
  return grant(request, context, paths);
};

const pathVerdicts = ({ tool, facts }: DecisionRequest, context: DecisionContext): PathVerdict[] => [
  ...(facts?.writes ?? []).map((path) => decidePath("write", path, context)),
  ...(facts?.reads ?? []).map((path) => decidePath("read", path, context, searchTools.has(tool))),
];

/** What no allow rule or hook lifts: ask rules on paths, protected files, the limits of plan mode. */
const limitOf = (request: DecisionRequest, context: DecisionContext, paths: PathVerdict[]): Decision | undefined => {
  const { facts, isReadOnly } = request;
  const isBypass = context.mode === "bypassPermissions";
  const fixed = paths.find(
    ({ outcome, isFixed, protection }) => outcome === "ask" && isFixed && !(isBypass && protection === "protected"),
  );
  if (context.mode === "plan") {
    const writes = facts?.writes ?? [];
    const others = writes.filter((path) => !isPlanFile(resolveGiven(path, context), context));
    if (others.length > 0)
      return decision("deny", [
        modeReason(`plan mode: only the plan file may be written${context.planPath ? ` (${context.planPath})` : ""}`),
      ]);
    if (writes.length === 0 && !isReadOnly && !touchesNothing(request))
      return decision("ask", [modeReason("plan mode: this call is not known to only read")]);
  }
  return fixed && decision("ask", fixed.reasons, fixed.protection ? suggestForOwnSettings(request, context) : []);
};

/** The tool says that it touches no file and runs nothing: task lists and the like. */
const touchesNothing = ({ facts }: DecisionRequest): boolean =>
  facts !== undefined &&
  facts.command === undefined &&
  facts.url === undefined &&
  facts.sends === undefined &&
  facts.reads.length === 0 &&
  facts.writes.length === 0;

/** Calls that reach out: documentation sites are read without a question, everything else asks. */
const reachesOut = (request: DecisionRequest): Decision | undefined => {
  const { url, sends } = request.facts ?? {};
  if (sends !== undefined)
    return decision("ask", [{ kind: "tool", text: `it sends ${sends}` }], suggestForTool(request));
  if (url === undefined) return undefined;
  const host = URL.canParse(url) ? new URL(url).hostname : url;
  if (isDocumentationUrl(url))
    return decision("allow", [
      { kind: "tool", text: `${host} is a documentation site that is read without a question` },
    ]);
  return decision("ask", [{ kind: "tool", text: `no rule covers ${host}` }], suggestForTool(request));
};

const grant = (request: DecisionRequest, context: DecisionContext, paths: PathVerdict[]): Decision => {
  const { tool, facts, isReadOnly } = request;
  const open = paths.find(({ outcome }) => outcome === "ask");
  const allowed = toolRule("allow", request, context.rules);
  // A bare rule for a file tool stays within the working folders for writing; a scoped one spoke in the path already.
  const isWriting = (facts?.writes.length ?? 0) > 0;
  if (allowed && !(open && isWriting) && !open?.checks.includes("F2"))
    return decision("allow", [ruleReason(allowed, `this use of ${tool}`)]);
  if (open) return decision("ask", open.reasons, suggestForPaths(request, context));
  if (!facts)
    return decision("ask", [{ kind: "tool", text: `${tool} does not say what it touches` }], suggestForTool(request));
  const out = reachesOut(request);
  if (out) return out;
  if (paths.length > 0 && (isWriting || isReadOnly)) return decision("allow", uniqueReasons(paths));
  if (touchesNothing(request))
    return decision("allow", [{ kind: "tool", text: `${tool} touches only the state of this session` }]);
  return decision(
    "ask",
    [{ kind: "tool", text: `${tool} changes things and no rule covers it` }],
    suggestForTool(request),
  );
};

const uniqueReasons = (paths: PathVerdict[]): DecisionReason[] => {
  const reasons = new Map(paths.flatMap((path) => path.reasons).map((reason) => [reason.text, reason]));
  return [...reasons.values()];
};
