// Makes a conversation fit for the API: a list of repairs, one file each, that every request passes.
import type { Message } from "../protocol/messages.js";
import { withoutEmptyText } from "./repairs/empty-text.js";
import { uniqueIds } from "./repairs/ids.js";
import { fittingImages } from "./repairs/images.js";
import { wireCalls } from "./repairs/names.js";
import { pairedCalls } from "./repairs/pairing.js";
import type { Repair } from "./repairs/repair.js";
import { blocksUnderTheirRole, joinedRoles, personBegins, personEnds } from "./repairs/roles.js";
import { shapeMessages } from "./repairs/shape.js";
import { withoutLoneSurrogates } from "./repairs/surrogates.js";
import { checkedThinking } from "./repairs/thinking.js";
import type { WireTools } from "./repairs/tool-schemas.js";

export interface WireOptions {
  /** The request's tools: calls in the history go under the same names and properties. */
  tools?: Pick<WireTools, "wireInput">;
  /** The last answer was paused (pause_turn): it goes back as the last message. */
  isPaused?: boolean;
}

/** In this order: what a message is, then what its blocks are, then how messages follow each other. */
const repairsFor = ({ tools, isPaused }: WireOptions): readonly Repair[] => [
  withoutLoneSurrogates,
  blocksUnderTheirRole,
  checkedThinking,
  withoutEmptyText,
  uniqueIds,
  wireCalls(tools?.wireInput),
  fittingImages,
  joinedRoles,
  pairedCalls,
  joinedRoles,
  personBegins,
  ...(isPaused ? [] : [personEnds]),
];

/**
 * The messages as they go on the wire. Pure; the result begins with a user message, alternates, and has exactly one
 * result for each call. The same input gives the same output, so that the prefix stays cacheable.
 */
export const wireMessages = (messages: readonly Message[], options: WireOptions = {}): Message[] =>
  repairsFor(options).reduce((list, repair) => repair(list), shapeMessages(messages));
