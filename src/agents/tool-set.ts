// Which tools an agent gets, by name: what its definition lists, less what agents never have.
import type { AgentDefinition } from "./definition.js";

/** No agent has these: they speak to the person, or steer the main thread. */
const neverGiven: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "ScheduleWakeup",
  "TaskOutput",
  "WaitForMcpServers",
  "Workflow",
  "EndConversation",
]);

/** All that agents in the background have, beside MCP tools (spec/tools.md section 8). */
const backgroundTools: ReadonlySet<string> = new Set(
  [
    "Read Grep Glob Bash PowerShell Edit Write NotebookEdit WebFetch WebSearch TodoWrite Skill ToolSearch",
    "EnterWorktree ExitWorktree Monitor TaskStop SendMessage Artifact",
  ].flatMap((line) => line.split(" ")),
);

export interface ToolSetOptions {
  /** Names the session offers, in its order. */
  offered: readonly string[];
  /** Canonical name of a tool given under any of its names. */
  canonical(name: string): string;
  isBackground: boolean;
  /** The agent may start others. */
  mayDelegate: boolean;
}

export interface ToolSet {
  /** In the session's order. */
  names: string[];
  /** Entries of `tools` that match nothing here. */
  unknown: string[];
}

const baseName = (entry: string): string => entry.replace(/\(.*\)$/s, "").trim();

const matcher = (entry: string, canonical: (name: string) => string): ((name: string) => boolean) => {
  const wanted = canonical(baseName(entry));
  if (wanted.startsWith("mcp__")) {
    const prefix = wanted.replace(/__\*$/, "");
    return (name) => name === wanted || name.startsWith(`${prefix}__`);
  }
  return (name) => name === wanted;
};

/** The tools of an agent. Empty although it lists some: none of them can be used here. */
export const agentToolSet = (
  { tools, disallowedTools }: Pick<AgentDefinition, "tools" | "disallowedTools">,
  { offered, canonical, isBackground, mayDelegate }: ToolSetOptions,
): ToolSet => {
  const isGiven = (name: string): boolean =>
    !neverGiven.has(name) &&
    (name !== "Agent" || (mayDelegate && !isBackground)) &&
    (!isBackground || backgroundTools.has(name) || name.startsWith("mcp__"));
  // An entry with parentheses narrows a permission, it does not take the tool away.
  const refused = disallowedTools.filter((entry) => !entry.includes("(")).map((entry) => matcher(entry, canonical));
  const possible = offered.filter((name) => isGiven(name) && !refused.some((matches) => matches(name)));
  if (tools === undefined) return { names: possible, unknown: [] };
  const wanted = tools.map((entry) => matcher(entry, canonical));
  return {
    names: possible.filter((name) => wanted.some((matches) => matches(name))),
    unknown: tools.filter((_, index) => !offered.some((name) => wanted[index]?.(name))),
  };
};
