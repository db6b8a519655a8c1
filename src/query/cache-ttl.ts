// How long the session's prompts stay cached.
import { cachingFor } from "../providers/anthropic-body.js";
import type { LoopOptions } from "./loop-options.js";
import type { Session } from "./session.js";

/** From DISABLE_PROMPT_CACHING, FORCE_PROMPT_CACHING_5M and ENABLE_PROMPT_CACHING_1H. */
export const cacheTtl = ({ options, model }: Pick<Session, "options" | "model">): LoopOptions["cacheTtl"] =>
  cachingFor(options.env, model.id);
