// What a session knows of its context: what was made smaller so far, what the API counted, and the ledger of its cache.
import { type CompactHistory, noCompactions } from "../context/autocompact.js";
import { type CacheLedger, createCacheLedger } from "../context/cache-ledger.js";
import { type ContextState, freshContext } from "../context/pipeline.js";
import type { Purpose } from "../providers/provider.js";

export interface ContextHolder {
  /** Requests of this purpose carry the conversation. */
  readonly purpose: Extract<Purpose, "main" | "agent">;
  state: ContextState;
  /** First calls of collapses that a person undid: not staged again. */
  unfolded: Set<string>;
  /** Counted ÷ estimated, by model. */
  ratios: Map<string, number>;
  lastRequestAt?: number;
  /** Requests of the conversation so far. */
  turns: number;
  compactions: CompactHistory;
  /** What the person was told about compaction being held back; once each. */
  told: Set<string>;
  ledger: CacheLedger;
}

export const createContextHolder = (purpose: ContextHolder["purpose"] = "main"): ContextHolder => ({
  purpose,
  state: freshContext,
  unfolded: new Set(),
  ratios: new Map(),
  turns: 0,
  compactions: noCompactions,
  told: new Set(),
  ledger: createCacheLedger(),
});

/** The conversation is another one: after /clear, /resume and a compaction. What the API counted stays known. */
export const forgetShrinks = (holder: ContextHolder, why: string): void => {
  holder.state = freshContext;
  holder.unfolded = new Set();
  holder.ledger.note(why);
};
