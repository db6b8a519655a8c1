// Agents slice: what a subagent does is shown in the line of the Agent call that started it.
import type { EngineEvent } from "../../src/protocol/events.js";
import type { TranscriptState } from "../app-state.js";
import { touchItem } from "./transcript.js";

/** Newest steps of a subagent that its line shows. */
const maxLines = 3;

/** The id of the Agent call an event belongs to, if it is a subagent's. */
export const parentOf = (event: EngineEvent): string | undefined =>
  "parentToolUseId" in event ? event.parentToolUseId : undefined;

/** A subagent's event: its calls become the newest lines of its parent's line, its prose stays in its own transcript. */
export const reduceChild = (transcript: TranscriptState, parentId: string, event: EngineEvent): TranscriptState => {
  if (event.type !== "tool_call") return transcript;
  const line = event.title === "" ? event.name : `${event.name} ${event.title}`;
  return touchItem(transcript, `call:${parentId}`, (item) => {
    if (item.kind === "tool") item.lastLines = [...(item.lastLines ?? []), line].slice(-maxLines);
  });
};
