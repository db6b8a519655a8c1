// Keys of the prompt that act on the session and leave the text alone: background, agents, thinking.
import type { Actions } from "../../state/actions.js";
import { canMove } from "../../state/selectors.js";
import type { AppStore } from "../../state/store.js";
import { keyFor, promptAction } from "../keys/keymap.js";

export interface SessionKeys {
  /** Lets what runs go on in the background. False: nothing does, and the key has another meaning in the prompt. */
  toBackground(key: string): boolean;
  /** Stops every agent in the background, at the second press: the first says how many there are. */
  stopAgents(): void;
  toggleThinking(): void;
}

const hintMs = 3_000;
/** How long the second press may take. */
const stopAgentsMs = 3_000;

const isAtWork = (status: string): boolean => status === "running" || status === "waiting";

export const createSessionKeys = (options: { actions: Actions; app: AppStore; now: () => number }): SessionKeys => {
  const { actions, app, now } = options;
  let stopsUntil = 0;
  return {
    toBackground: (key) => {
      if (canMove(app.getState())) actions.moveToBackground();
      else if (promptAction(key) !== undefined) return false;
      else actions.hint("nothing runs that could go to the background", hintMs);
      return true;
    },
    stopAgents: () => {
      const { agents, background } = app.getState();
      const working = agents.filter(({ isBackground, status }) => isBackground && isAtWork(status));
      const tasks = background.filter(({ kind, status }) => kind === "agent" && status === "running");
      const count = Math.max(working.length, tasks.length);
      if (count === 0) actions.hint("no agent works in the background", hintMs);
      else if (now() >= stopsUntil) {
        stopsUntil = now() + stopAgentsMs;
        const which = count === 1 ? "the agent" : `${count} agents`;
        actions.hint(`${keyFor("chat:killAgents")} again stops ${which} in the background`, stopAgentsMs);
      } else {
        stopsUntil = 0;
        for (const { id } of working) actions.stopAgent(id);
        for (const { id } of tasks) actions.stopTask(id);
        actions.hint(count === 1 ? "the agent is stopped" : `${count} agents are stopped`, hintMs);
      }
    },
    toggleThinking: () => {
      actions.toggleThinking();
      const isOff = app.getState().session?.interface?.alwaysThinkingEnabled === false;
      actions.hint(isOff ? "Thinking off" : "Thinking on", hintMs);
    },
  };
};
