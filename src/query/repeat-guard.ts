// Notices when the model repeats a call that fails the same way: told to the model first, then asked of the person.
import type { FinishedCall } from "../execution/schedule.js";
import { textOf } from "../protocol/messages.js";

const remindAt = 3; // design.md section 3
const stopAt = 5;

export interface RepeatGuard {
  /** Looks at the calls of a turn. */
  see(
    finished: readonly FinishedCall[],
  ): { kind: "fine" } | { kind: "remind"; text: string } | { kind: "ask"; text: string };
  /** The person said go on: counting starts anew. */
  forget(): void;
}

/** A guard for one run. Only the same tool with the same input and the same error counts. */
export const createRepeatGuard = (): RepeatGuard => {
  let counts = new Map<string, number>();
  return {
    see: (finished) => {
      let worst = 0;
      let worstName = "";
      for (const { call, outcome } of finished) {
        const key = JSON.stringify([call.block.name, call.block.input]);
        if (!outcome.result.isError) {
          counts.delete(key);
          continue;
        }
        const withError = `${key} ${textOf(outcome.result.content)}`;
        const count = (counts.get(withError) ?? 0) + 1;
        counts.set(withError, count);
        if (count > worst) {
          worst = count;
          worstName = call.block.name;
        }
      }
      if (worst >= stopAt)
        return {
          kind: "ask",
          text: `${worstName} was called ${worst} times with the same input and failed the same way each time.`,
        };
      if (worst === remindAt)
        return {
          kind: "remind",
          text: `${worstName} has now failed ${worst} times with exactly the same input and error. Repeating it will not help: change the input, try another way, or tell the person what is in the way.`,
        };
      return { kind: "fine" };
    },
    forget: () => {
      counts = new Map();
    },
  };
};
