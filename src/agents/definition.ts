// What an agent is made of, and how a Markdown file or a JSON entry becomes one.
import { booleanValue, type Frontmatter, parseFrontmatter, textValue, toolNames } from "../lib/frontmatter.js";
import type { PermissionMode } from "../protocol/permission.js";
import { type HooksByEvent, hooksByEvent } from "../settings/schema/hooks.js";
import { type AgentColor, colorNamed } from "./colors.js";

export type AgentSource = "built-in" | "managed" | "flag" | "project" | "user" | "plugin";

export interface AgentDefinition {
  name: string;
  /** When to use it: the model reads it. */
  description: string;
  /** System prompt. */
  prompt: string;
  /** Tools it may use, as written; undefined: all that agents may have. */
  tools?: string[];
  disallowedTools: string[];
  /** Alias or id; undefined: the model of its parent. */
  model?: string;
  color?: AgentColor;
  /** May only lower the parent's mode. */
  permissionMode?: PermissionMode;
  maxTurns?: number;
  effort?: "low" | "medium" | "high" | "xhigh" | "max";
  /** Always starts in the background. */
  isBackground: boolean;
  /** "remote" is refused when the agent is started: never run it unprotected instead. */
  isolation?: "worktree" | "remote";
  memory?: "user" | "project" | "local";
  /** Hooks in force while it runs. */
  hooks?: HooksByEvent;
  source: AgentSource;
  file?: string;
  /** Refused everything that may change something, whatever the rules allow. */
  isReadOnly?: boolean;
  /** Starts without instructions and git state (CLAUDE.md): it only looks. */
  isLean?: boolean;
}

export type ParsedAgent =
  | { kind: "agent"; agent: AgentDefinition; hints: string[] }
  /** Not an agent file at all (README.md): nothing to say. */
  | { kind: "ignored" }
  | { kind: "problem"; reason: "name" | "description" | "block"; text: string };

const modes = ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const;
const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
const memories = ["user", "project", "local"] as const;

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value);

const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
};

const modelOf = (value: unknown): string | undefined => {
  const model = textValue(value);
  return model === undefined || model === "inherit" ? undefined : model;
};

/** Hooks of its own. Its Stop is the end of an agent, not of the session. */
const hooksOf = (value: unknown): HooksByEvent | undefined => {
  const parsed = hooksByEvent.safeParse(value);
  if (!parsed.success) return undefined;
  const { Stop = [], SubagentStop = [], ...others } = parsed.data;
  const ends = [...Stop.map(({ hooks }) => ({ hooks })), ...SubagentStop];
  return ends.length > 0 ? { ...others, SubagentStop: ends } : others;
};

/** Keys whose value is none of the known ones are dropped; said so for the debug log. */
const hintsOf = (data: Record<string, unknown>, agent: AgentDefinition): string[] => {
  const dropped = (["permissionMode", "memory", "effort", "isolation", "maxTurns", "color", "hooks"] as const).filter(
    (key) => data[key] !== undefined && data[key] !== null && agent[key] === undefined,
  );
  const misnamed = ["allowedTools", "allowed-tools"].filter((key) => key in data);
  return [
    ...dropped.map((key) => `${key}: ${JSON.stringify(data[key])} is not known and was left out`),
    ...misnamed.map((key) => `${key} has no meaning in an agent: did you mean tools?`),
  ];
};

/** The agent a map of keys describes, whichever file it came from. */
export const agentFrom = (
  data: Record<string, unknown>,
  prompt: string,
  origin: { source: AgentSource; file?: string },
): ParsedAgent => {
  const name = textValue(data.name);
  if (name === undefined) return { kind: "problem", reason: "name", text: "it has no name" };
  if (name.includes(":")) return { kind: "problem", reason: "name", text: `a name must not have a colon (${name})` };
  const description = textValue(data.description)?.replaceAll("\\n", "\n");
  if (description === undefined) return { kind: "problem", reason: "description", text: "it has no description" };
  const agent: AgentDefinition = {
    name,
    description,
    prompt: prompt.trim(),
    tools: toolNames(data.tools),
    disallowedTools: toolNames(data.disallowedTools) ?? [],
    model: modelOf(data.model),
    color: colorNamed(data.color),
    permissionMode: oneOf(modes, data.permissionMode === "manual" ? "default" : data.permissionMode),
    maxTurns: wholeNumber(data.maxTurns),
    effort: oneOf(efforts, data.effort),
    isBackground: booleanValue(data.background),
    isolation: oneOf(["worktree", "remote"] as const, data.isolation),
    memory: oneOf(memories, data.memory),
    hooks: hooksOf(data.hooks),
    ...origin,
  };
  return { kind: "agent", agent, hints: hintsOf(data, agent) };
};

const noteOf = ({ warning }: Frontmatter): string[] => (warning ? [`line ${warning.line}: ${warning.text}`] : []);

/** Reads one agent file. Never throws. */
export const parseAgentFile = (text: string, origin: { source: AgentSource; file?: string }): ParsedAgent => {
  const parsed = parseFrontmatter(text);
  if (!parsed.hasBlock) {
    const [note] = noteOf(parsed);
    return note === undefined ? { kind: "ignored" } : { kind: "problem", reason: "block", text: note };
  }
  const found = agentFrom(parsed.data, parsed.body, origin);
  return found.kind === "agent" ? { ...found, hints: [...noteOf(parsed), ...found.hints] } : found;
};
