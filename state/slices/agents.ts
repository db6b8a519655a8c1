// Agents slice: what subagents do, for their panes. Nothing of it enters the main transcript; each keeps a few last lines.
import type { Display } from "../../src/protocol/display.js";
import type { EngineEvent, EventOf } from "../../src/protocol/events.js";
import { textOf } from "../../src/protocol/messages.js";
import type { AgentLine, AgentState } from "../app-state.js";

/** Lines kept of an agent: a pane shows three, its page all. */
const keptLines = 100;
/** Characters kept of one line. */
const keptText = 2_000;

export type AgentEvent = EventOf<"agent_start"> | EventOf<"agent_progress"> | EventOf<"agent_end">;

/** Events that may name a parent and still are about themselves. */
const ownTypes: ReadonlySet<string> = new Set(["question", "agent_start", "agent_progress", "agent_end"]);

/** The id of the Agent call whose pane an event belongs into, if it is a subagent's. */
export const childOf = (event: EngineEvent): string | undefined =>
  "parentToolUseId" in event && !ownTypes.has(event.type) ? event.parentToolUseId : undefined;

const isOver = ({ status }: AgentState): boolean => status !== "running" && status !== "waiting";

const change = (
  agents: AgentState[],
  toolUseId: string,
  how: (agent: AgentState) => Partial<AgentState>,
): AgentState[] =>
  agents.some((agent) => agent.toolUseId === toolUseId)
    ? agents.map((agent) => (agent.toolUseId === toolUseId ? { ...agent, ...how(agent) } : agent))
    : agents;

const started = (event: EventOf<"agent_start">): AgentState => ({
  id: event.agentId,
  toolUseId: event.toolUseId,
  parentToolUseId: event.parentToolUseId,
  type: event.agentType,
  name: event.name,
  color: event.color,
  description: event.description,
  isBackground: event.isBackground,
  worktree: event.worktree,
  status: "running",
  startedAt: event.at,
  turns: 0,
  toolUses: 0,
  tokens: 0,
  lines: [],
});

/** Begin, figures and end of a subagent. One that has ended goes, its call says the rest; one that failed stays. */
export const reduceAgent = (agents: AgentState[], event: AgentEvent): AgentState[] => {
  const { toolUseId } = event;
  if (event.type === "agent_start") return [...agents.filter(({ id }) => id !== event.agentId), started(event)];
  const { toolUses, tokens } = event;
  if (event.type === "agent_progress")
    return change(agents, toolUseId, ({ doing }) => ({ toolUses, tokens, doing: event.summary ?? doing }));
  const { status, at, summary } = event;
  if (status !== "failed") return agents.filter((agent) => agent.toolUseId !== toolUseId);
  return change(agents, toolUseId, () => ({ status, endedAt: at, summary, toolUses, tokens }));
};

const withLine = ({ lines }: AgentState, line: AgentLine): AgentLine[] => [...lines, line].slice(-keptLines);

const editLine = ({ lines }: AgentState, id: string, how: (line: AgentLine) => Partial<AgentLine>): AgentLine[] =>
  lines.some((line) => line.id === id)
    ? lines.map((line) => (line.id === id ? { ...line, ...how(line) } : line))
    : lines;

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

const noteOf = (display: Display | undefined): string => {
  if (display?.kind === "matches") return count(display.matches, "match", "matches");
  if (display?.kind === "paths") return count(display.total, "file");
  if (display?.kind === "diff") return `+${display.added} −${display.removed}`;
  if (display?.kind === "shell" && display.exitCode !== 0) {
    if (display.timedOut) return "timed out";
    return display.interrupted || display.exitCode === null ? "stopped" : `exit ${display.exitCode}`;
  }
  return "";
};

const textLine = (id: string, text: string): AgentLine => ({ id, kind: "text", state: "done", text, note: "" });

const appendText = (agent: AgentState, id: string, delta: string): AgentLine[] =>
  agent.lines.some((line) => line.id === id)
    ? editLine(agent, id, ({ text }) => ({ text: (text + delta).slice(-keptText) }))
    : withLine(agent, textLine(id, delta.slice(-keptText)));

/** The whole text replaces what streamed: also an answer that never streamed gets its line. */
const finishText = (agent: AgentState, event: EventOf<"assistant_message">): AgentLine[] => {
  const text = textOf(event.message.content).trim();
  const id = `${event.message.id}:${event.index}`;
  if (text === "") return agent.lines;
  const kept = text.slice(-keptText);
  return agent.lines.some((line) => line.id === id)
    ? editLine(agent, id, () => ({ text: kept }))
    : withLine(agent, textLine(id, kept));
};

const callText = ({ name, title }: EventOf<"tool_call">): string =>
  `${name} ${title.split("\n", 1)[0] ?? ""}`.trimEnd().slice(0, keptText);

/** What an event of a subagent changes in its pane. */
const changeOf = (event: EngineEvent): ((agent: AgentState) => Partial<AgentState>) | undefined => {
  switch (event.type) {
    case "text":
      return (agent) => ({ lines: appendText(agent, `${event.messageId}:${event.index}`, event.delta) });
    case "assistant_message":
      return (agent) => ({ lines: finishText(agent, event) });
    case "dropped":
      return ({ lines }) => ({ lines: lines.filter(({ id }) => !id.startsWith(`${event.messageId}:`)) });
    case "turn_start":
      return () => ({ turns: event.turn });
    case "tool_call":
      return (agent) => ({
        lines: withLine(agent, { id: event.id, kind: "call", state: "queued", text: callText(event), note: "" }),
        toolUses: agent.toolUses + 1,
      });
    case "tool_state":
      return (agent) => ({
        status: event.state === "waiting" ? "waiting" : isOver(agent) ? agent.status : "running",
        lines: editLine(agent, event.id, () => ({ state: event.state })),
      });
    case "tool_result":
      return (agent) => ({
        status: isOver(agent) ? agent.status : "running",
        lines: editLine(agent, event.id, () => ({
          state: event.isError ? "error" : "done",
          note: noteOf(event.display),
        })),
      });
    default:
      return undefined;
  }
};

/** The panes after an event that carries `parentToolUseId`. */
export const reduceChild = (agents: AgentState[], event: EngineEvent, parentId: string): AgentState[] => {
  const how = changeOf(event);
  return how === undefined ? agents : change(agents, parentId, how);
};

/** At a run's end what works in the background is left, and what failed. */
export const settleAgents = (agents: AgentState[]): AgentState[] => {
  const left = agents.filter((agent) => agent.isBackground || agent.status === "failed");
  return left.length === agents.length ? agents : left;
};
