// What is special about each event: what its matchers look at, how long its hooks may take, what blocking means there.
import type { HookEvent } from "../settings/schema/hooks.js";

/** What exit code 2 or `decision: block` does: stop what was to happen, tell the model, tell the person, or nothing. */
type Blocking = "stops" | "tells model" | "tells person" | "nothing";

export interface EventTraits {
  blocking: Blocking;
  /** Field of the input that a matcher is compared with; absent: matchers are ignored. */
  matchOn?: string;
  /** Plain standard output is context for the model. */
  plainIsContext?: true;
  /** Seconds for a handler that names none; absent: those of its type. */
  timeoutS?: number;
  /** Handlers that ask a model may hang on it. */
  takesModel?: true;
  /** The `if` field has a meaning. */
  takesIf?: true;
  /** Its commands may write to CLAUDE_ENV_FILE. */
  hasEnvFile?: true;
}

const call = { matchOn: "tool_name", takesModel: true, takesIf: true } as const;

export const eventTraits: Readonly<Partial<Record<HookEvent, EventTraits>>> = {
  SessionStart: { matchOn: "source", blocking: "tells person", plainIsContext: true, hasEnvFile: true },
  UserPromptSubmit: { blocking: "stops", plainIsContext: true, timeoutS: 30, takesModel: true },
  UserPromptExpansion: { matchOn: "command_name", blocking: "stops", plainIsContext: true, takesModel: true },
  PreToolUse: { ...call, blocking: "stops" },
  PermissionRequest: { ...call, blocking: "nothing" },
  PostToolUse: { ...call, blocking: "tells model" },
  PostToolUseFailure: { ...call, blocking: "tells model" },
  PostToolBatch: { blocking: "stops", takesModel: true },
  Notification: { matchOn: "notification_type", blocking: "nothing" },
  SubagentStart: { matchOn: "agent_type", blocking: "tells person" },
  SubagentStop: { matchOn: "agent_type", blocking: "stops", takesModel: true },
  Stop: { blocking: "stops", takesModel: true },
  StopFailure: { matchOn: "error", blocking: "nothing" },
  PreCompact: { matchOn: "trigger", blocking: "stops" },
  PostCompact: { matchOn: "trigger", blocking: "tells person" },
  SessionEnd: { matchOn: "reason", blocking: "tells person", timeoutS: 1.5 },
  CwdChanged: { blocking: "tells person", hasEnvFile: true },
  TaskCreated: { blocking: "stops", takesModel: true },
  TaskCompleted: { blocking: "stops", takesModel: true },
};

const typeTimeouts: Readonly<Record<string, number>> = { prompt: 30, agent: 60 };

/** Milliseconds that a handler may take. */
export const timeoutMs = (event: HookEvent, handler: { type: string; timeout?: number }): number =>
  (handler.timeout ?? eventTraits[event]?.timeoutS ?? typeTimeouts[handler.type] ?? 600) * 1000;
