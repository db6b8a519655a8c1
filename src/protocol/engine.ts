// The Engine as every user interface sees it.
import type { EngineEvent, RunOutcome, SessionInfo } from "./events.js";
import type { Answer } from "./questions.js";
import type { Request } from "./requests.js";

export interface Engine {
  /**
   * Does one request and yields what happens. A slow reader slows the engine down (back-pressure).
   * A second prompt while one runs is queued: its events come from the running generator, its own yields nothing.
   */
  submit(request: Request): AsyncGenerator<EngineEvent, RunOutcome | undefined>;
  /** Answers an open question. False when it is settled already or unknown; never throws. */
  answer(id: string, answer: Answer): boolean;
  /** Stops the running run ("run") or that and everything in the background ("all"). Never throws. */
  interrupt(scope: "run" | "all"): void;
  /** Events that belong to no run. Returns the function that ends the subscription. */
  subscribe(listener: (event: EngineEvent) => void): () => void;
  /** The session as it is now. */
  session(): SessionInfo;
  /** Flushes everything to disk and stops all that the session started. Call once. `reason`: for SessionEnd hooks. */
  close(reason?: "prompt_input_exit" | "other"): Promise<void>;
}
