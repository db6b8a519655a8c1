// What a session keeps about its hooks between events.
import type { HookSource } from "../hooks/match.js";

export interface HookState {
  /** Hooks beside those of the settings: plugins, skills that were used. */
  sources: HookSource[];
  /** What hooks want the model to know, as reminders that are due before the next request. */
  contexts: string[];
  /** The first hooks have been called: the last ones (SessionEnd) are due, too. */
  hasStarted: boolean;
  /** Settles when the SessionStart hooks are done; undefined: none runs. */
  starting?: Promise<void>;
  /** Stops SessionStart hooks that a person does not want to wait for. */
  stopStarting?: AbortController;
  /** Headless: what a SessionStart hook puts in front of the first prompt. */
  initialUserMessage?: string;
  /** Id of the newest prompt. */
  promptId?: string;
  /** Variables that hooks wrote to CLAUDE_ENV_FILE. */
  env?: Record<string, string>;
  /** Settles when `env` holds what the newest hooks wrote. */
  envRead?: Promise<void>;
  /** Hooks in the background that still run. */
  late: Set<Promise<void>>;
  /** When the person was last waited for; ends the timers of Notification hooks. */
  stopWaiting?: () => void;
}

/** Nothing called yet. */
export const createHookState = (): HookState => ({ sources: [], contexts: [], hasStarted: false, late: new Set() });
