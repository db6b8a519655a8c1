// Reads rule texts into rules and says which of them can never do what they seem to.
import type { RuleSource } from "../protocol/permission.js";
import { parseRuleText } from "../settings/rule-text.js";
import type { Behavior, Rule } from "./types.js";

/** Tools whose `Tool(content)` is a path pattern that is consulted. */
const pathTools = new Set(["Read", "Edit"]);
const editTools = new Set(["Write", "NotebookEdit", "MultiEdit"]);
const primaryFields = /^(command|file_path|path|notebook_path|url):/;

export interface RuleOptions {
  behavior: Behavior;
  source: RuleSource;
  /** Folder that `/path` patterns hang under. */
  root: string;
  file?: string;
  line?: number;
}

/** One rule from its text; a message when it is none. */
export const parseRule = (text: string, options: RuleOptions): Rule | string => {
  const parsed = parseRuleText(text);
  return typeof parsed === "string" ? parsed : { text: text.trim(), ...parsed, ...options };
};

/** Rules of one source from their texts, with a message for each text that is none. */
export const parseRules = (texts: readonly string[], options: RuleOptions): { rules: Rule[]; problems: string[] } => {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const rule = parseRule(text, options);
    if (typeof rule === "string") problems.push(rule);
    else rules.push(rule);
  }
  return { rules, problems };
};

const isGlob = (name: string): boolean => name.includes("*");

/** Whether an allow rule's tool glob is allowed: only behind the literal name of one MCP server. */
const isServerGlob = (name: string): boolean => /^mcp__[^*]+__/.test(name);

/** A warning when the rule cannot work as its writer meant; undefined otherwise. */
export const ruleWarning = (rule: Rule, knownTools: Iterable<string>): string | undefined => {
  const { text, tool, content, behavior } = rule;
  if (isGlob(tool) && behavior === "allow" && !isServerGlob(tool))
    return `${text}: an allow rule may use * in the tool's name only after mcp__<server>__; it is skipped`;
  if (content !== undefined && editTools.has(tool))
    return `${text}: paths are matched by Edit(${content}), which covers Write and NotebookEdit; this rule is never consulted`;
  if (content !== undefined && (tool === "Glob" || tool === "Grep"))
    return `${text}: paths are matched by Read(${content}), which covers searching; this rule is never consulted`;
  if (content !== undefined && primaryFields.test(content) && !pathTools.has(tool) && tool !== "WebFetch")
    return `${text}: rules on a tool's main field are written without its name; it is ignored`;
  if (content !== undefined && tool === "WebSearch") return `${text}: WebSearch has only a rule for the whole tool`;
  if (behavior === "allow" || isGlob(tool) || tool.includes("_")) return undefined;
  return new Set([...knownTools, "PowerShell"]).has(tool) ? undefined : `${text}: there is no tool named ${tool}`;
};

/** Whether a rule's tool name (perhaps a glob) covers a tool. */
export const coversTool = (rule: Rule, tool: string): boolean => {
  if (rule.tool === tool) return true;
  if (rule.tool.startsWith("mcp__") && !isGlob(rule.tool) && tool.startsWith(`${rule.tool}__`)) return true;
  if (!isGlob(rule.tool)) return false;
  if (rule.behavior === "allow" && !isServerGlob(rule.tool)) return false;
  const pattern = rule.tool
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(tool);
};
