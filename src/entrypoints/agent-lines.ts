// The stream-json lines about subagents: that they began, how far they are, how they ended.
import type { EventOf } from "../protocol/events.js";

type Line = Record<string, unknown>;
type AgentEvent = EventOf<"agent_start"> | EventOf<"agent_progress"> | EventOf<"agent_end">;

const usageOf = ({ tokens, toolUses, durationMs }: EventOf<"agent_progress"> | EventOf<"agent_end">) => ({
  total_tokens: tokens,
  tool_uses: toolUses,
  duration_ms: Math.round(durationMs),
});

const started = (event: EventOf<"agent_start">): Line[] => [
  {
    type: "system",
    subtype: "task_started",
    task_id: event.agentId,
    tool_use_id: event.toolUseId,
    description: event.description,
    subagent_type: event.agentType,
    task_type: "local_agent",
    prompt: event.prompt,
    is_backgrounded: event.isBackground,
  },
];

const progress = (event: EventOf<"agent_progress">): Line[] => [
  {
    type: "system",
    subtype: "task_progress",
    task_id: event.agentId,
    tool_use_id: event.toolUseId,
    description: event.description,
    usage: usageOf(event),
    ...(event.lastTool === undefined ? {} : { last_tool_name: event.lastTool }),
  },
];

const ended = (event: EventOf<"agent_end">): Line[] => [
  {
    type: "system",
    subtype: "task_updated",
    task_id: event.agentId,
    patch: { status: event.status === "stopped" ? "killed" : event.status, end_time: event.at },
  },
  {
    type: "system",
    subtype: "task_notification",
    task_id: event.agentId,
    tool_use_id: event.toolUseId,
    status: event.status,
    output_file: event.outputFile ?? "",
    summary: event.summary,
    usage: usageOf(event),
  },
];

/** The lines of one event, in order. */
export const agentLines = (event: AgentEvent): Line[] => {
  if (event.type === "agent_start") return started(event);
  return event.type === "agent_progress" ? progress(event) : ended(event);
};
