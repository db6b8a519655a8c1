// A clock whose half minutes (those of summaries) end when the test says so; other waits end at once.
/** Never moves; `step` ends the half minutes that wait. */
export const steppedClock = () => {
  const waiting: (() => void)[] = [];
  return {
    now: () => Date.parse("2026-11-30T12:00:00Z"),
    sleep: (ms: number, signal?: AbortSignal) =>
      ms === 30_000
        ? new Promise<void>((resolve) => {
            waiting.push(resolve);
            signal?.addEventListener("abort", () => resolve(), { once: true });
          })
        : Promise.resolve(),
    /** Ends the half minute that passes; how many there were. */
    step: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    isWaiting: () => waiting.length > 0,
  };
};
