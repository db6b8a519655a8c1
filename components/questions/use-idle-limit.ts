// A time limit for a question that nobody looks at: counts from the last key, tells its last seconds, then ends.
import { useEffect, useRef, useState } from "react";
import { useServices } from "../app-context.js";
import { useKeyRouter } from "../keys/use-keymap.js";

/** The last part of the time, in which the seconds are shown. */
export const countdownMs = 20_000;
const secondMs = 1_000;

/** The setting `askUserQuestionTimeout` in milliseconds; null: no limit. */
export const idleLimitMs = (setting: unknown): number | null => {
  const found = typeof setting === "string" ? /^(\d+)([sm])$/.exec(setting) : null;
  return found ? Number(found[1]) * (found[2] === "m" ? 60 : 1) * secondMs : null;
};

/** Calls `onOver` once no key came for `limitMs`. Returns the seconds that are left when they are few, else null. */
export const useIdleLimit = (limitMs: number | null, onOver: () => void): number | null => {
  const { now } = useServices();
  const router = useKeyRouter();
  const [openedAt] = useState(now);
  const [left, setLeft] = useState<number | null>(null);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (limitMs === null) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const remaining = Math.max(openedAt, router.lastKeyAt()) + limitMs - now();
      if (remaining <= 0) {
        over.current();
        return;
      }
      const isNear = remaining <= countdownMs;
      setLeft(isNear ? Math.ceil(remaining / secondMs) : null);
      timer = setTimeout(look, isNear ? remaining % secondMs || secondMs : remaining - countdownMs);
    };
    look();
    return () => clearTimeout(timer);
  }, [limitMs, openedAt, router, now]);
  return left;
};
