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
import { checkedThinking, thinkingBeforeWords } from "./repairs/thinking.js";
import type { WireTools } from "./repairs/tool-schemas.js";
import { resolvableReferences } from "./tool-references.js";

export interface WireOptions {
  /** The request's tools: calls in the history go under the same names and properties. */
  tools?: Pick<WireTools, "wireInput"> & Partial<Pick<WireTools, "specs">>;
  /** The endpoint takes tool references. */
  takesReferences?: boolean;
  /** The last answer was paused (pause_turn): it goes back as the last message. */
  isPaused?: boolean;
}

/** In this order: what a message is (`shapeMessages`), then what its blocks are, then how messages follow each other. */
export const historyRepairs: Readonly<Record<string, (options: WireOptions) => Repair>> = {
  surrogates: () => withoutLoneSurrogates,
  roles: () => blocksUnderTheirRole,
  thinking: () => checkedThinking,
  emptyText: () => withoutEmptyText,
  ids: () => uniqueIds,
  names: ({ tools }) => wireCalls(tools?.wireInput),
  references: ({ tools, takesReferences = false }) =>
    resolvableReferences(new Set(tools?.specs?.map(({ name }) => name)), takesReferences),
  images: () => fittingImages,
  joined: () => joinedRoles,
  thinkingEnd: () => thinkingBeforeWords,
  pairing: () => pairedCalls,
  joinedAgain: () => joinedRoles, // the two above leave empty messages out
  begin: () => personBegins,
  end: ({ isPaused }) => (isPaused ? (messages) => [...messages] : personEnds),
};

/**
 * The messages as they go on the wire. Pure; the result begins with a user message, alternates, and has exactly one
 * result for each call. The same input gives the same output, so that the prefix stays cacheable.
 */
export const wireMessages = (messages: readonly Message[], options: WireOptions = {}): Message[] =>
  Object.values(historyRepairs).reduce((list, repair) => repair(options)(list), shapeMessages(messages));
