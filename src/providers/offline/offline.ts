// The offline model: a deterministic stand-in that needs no key and no network, and says so.
import type { Clock } from "../../platform/clock.js";
import { offlineModel } from "../models.js";
import type { Provider } from "../provider.js";
import { answer } from "./answer.js";
import { paced } from "./stream.js";

export interface OfflineOptions {
  /** Milliseconds before each delta. Default 8: readable, not slow. */
  delayMs?: number;
  clock?: Clock;
}

const defaultDelayMs = 8;

/** What submitting this prompt does: the guided tour. */
export const tourPrompt = "Start the guided tour";

/** A provider without a model behind it. It sees only what a request carries, as any model does. */
export const createOffline = ({ delayMs = defaultDelayMs, clock }: OfflineOptions = {}): Provider => ({
  id: offlineModel,
  stream: (request) => ({
    [Symbol.asyncIterator]: () => paced(request, answer(request), { delayMs, clock }),
  }),
});
