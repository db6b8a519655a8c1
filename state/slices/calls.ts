// Calls slice: what the events of a call do to its line in the transcript.
import { unreachable } from "../../src/lib/unreachable.js";
import type { EventOf } from "../../src/protocol/events.js";
import type { TranscriptState } from "../app-state.js";
import { setCallProgress, setCallState, settleCall, startCall } from "./transcript.js";

type CallEvent = EventOf<"tool_call"> | EventOf<"tool_state"> | EventOf<"tool_progress"> | EventOf<"tool_result">;

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
