// QuietGate: a dialog takes no key before it was visible and the keyboard quiet for a while (F033).

export interface QuietGate {
  isOpen: () => boolean;
  /** How long it stays shut if no more keys come; 0 when it is open. */
  remainingMs: () => number;
  /** Somebody types who does not mean the dialog: shut again until the keyboard was quiet. */
  shut: () => void;
}

/**
 * Opens, until it is shut again, when `quietMs` have passed since `visibleAt` and since the last key. `lastKeyAt`: when the
 * last key came, also before the dialog; all times in ms of one clock.
 */
export const createQuietGate = (options: {
  visibleAt: number;
  quietMs: number;
  now: () => number;
  lastKeyAt: () => number;
}): QuietGate => {
  const { quietMs, now, lastKeyAt } = options;
  let since = options.visibleAt;
  let hasOpened = quietMs === 0;
  const remainingMs = (): number => {
    if (hasOpened) return 0;
    const remaining = Math.max(since, lastKeyAt()) + quietMs - now();
    if (remaining <= 0) hasOpened = true;
    return Math.max(0, remaining);
  };
  const shut = (): void => {
    hasOpened = quietMs === 0;
    since = now();
  };
  return { remainingMs, isOpen: () => remainingMs() === 0, shut };
};
