// Agents below the agents that started them, as one list in the order in which it is drawn.
import type { AgentState } from "../../state/app-state.js";

export interface TreeAgent {
  agent: AgentState;
  /** 0: started by the conversation itself, or by an agent that is gone. */
  depth: number;
  /** Agents below it that have no row of their own. */
  hidden: number;
}

/** The agents at work, then those that have ended. */
export const endedLast = (agents: readonly AgentState[]): AgentState[] => [
  ...agents.filter(({ status }) => status !== "failed"),
  ...agents.filter(({ status }) => status === "failed"),
];

/** All of them, each below the one that started it. */
const wholeTree = (agents: readonly AgentState[]): TreeAgent[] => {
  const left = new Set(agents);
  const childrenOf = (parent: AgentState): AgentState[] =>
    agents.filter((agent) => left.has(agent) && agent.parentToolUseId === parent.toolUseId);
  const below = (agent: AgentState, depth: number): TreeAgent[] => {
    left.delete(agent);
    return [{ agent, depth, hidden: 0 }, ...childrenOf(agent).flatMap((child) => below(child, depth + 1))];
  };
  const known = new Set(agents.map(({ toolUseId }) => toolUseId));
  const roots = agents.filter(({ parentToolUseId }) => parentToolUseId === undefined || !known.has(parentToolUseId));
  return roots.flatMap((root) => below(root, 0));
};

/** The list as `height` rows can show it: where not all fit, each agent of the conversation counts those below it. */
export const agentTree = (agents: readonly AgentState[], height: number): TreeAgent[] => {
  const all = wholeTree(endedLast(agents));
  if (all.length <= height) return all;
  const folded: TreeAgent[] = [];
  for (const entry of all) {
    const root = folded.at(-1);
    if (entry.depth === 0) folded.push({ ...entry });
    else if (root) root.hidden += 1;
  }
  return folded;
};
