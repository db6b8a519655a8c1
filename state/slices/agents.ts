// Agents slice: a subagent's calls are lines under the Agent call that started it; its prose stays in its own transcript.
import { unreachable } from "../../src/lib/unreachable.js";
import type { EngineEvent, EventOf } from "../../src/protocol/events.js";
import type { TranscriptState } from "../app-state.js";
import { setCallProgress, setCallState, settleCall, startCall } from "./transcript.js";

type CallEvent = EventOf<"tool_call"> | EventOf<"tool_state"> | EventOf<"tool_progress"> | EventOf<"tool_result">;

/** The id of the Agent call an event belongs to, if it is a subagent's. */
export const parentOf = (event: EngineEvent): string | undefined =>
  "parentToolUseId" in event ? event.parentToolUseId : undefined;

const callTypes: ReadonlySet<string> = new Set(["tool_call", "tool_state", "tool_progress", "tool_result"]);

const isCallEvent = (event: EngineEvent): event is CallEvent => callTypes.has(event.type);

/** A subagent's event: only its calls are shown in the main transcript. */
export const reduceChild = (transcript: TranscriptState, event: EngineEvent): TranscriptState =>
  isCallEvent(event) ? reduceCall(transcript, event) : transcript;

/** What an event of a call does to its line. */
export const reduceCall = (transcript: TranscriptState, event: CallEvent): TranscriptState => {
  switch (event.type) {
    case "tool_call":
      return startCall(transcript, event);
    case "tool_state":
      return setCallState(transcript, event);
    case "tool_progress":
      return setCallProgress(transcript, event);
    case "tool_result":
      return settleCall(transcript, event);
    default:
      return unreachable(event);
  }
};
