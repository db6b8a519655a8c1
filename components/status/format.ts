// Numbers as the status lines show them.

/** Seconds up to a minute ("38 s"), then minutes and seconds ("1:07"). */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Tokens: "860", "12.4k", "1.2M". */
export const tokenText = (tokens: number): string => {
  const count = Math.round(tokens);
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};
