// One back-off for all requests of a session: while one waits for an overloaded server, the others wait with it.

export interface BackOff {
  /** Milliseconds left of the longest wait that is going on; 0 when nobody waits. */
  leftMs(now: number): number;
  /** Joins the waits until `until` (ms since the epoch); call the returned function when the wait is over or given up. */
  hold(until: number): () => void;
}

/** A back-off nobody waits in. A wait that was given up does not hold the others. */
export const createBackOff = (): BackOff => {
  const holds = new Set<{ until: number }>();
  return {
    leftMs: (now) => Math.max(0, ...[...holds].map(({ until }) => until - now)),
    hold: (until) => {
      const entry = { until };
      holds.add(entry);
      return () => void holds.delete(entry);
    },
  };
};
