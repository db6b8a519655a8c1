// Small texts that several commands share.

/** What an error says, for a person. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A count with thousands separated: 12,345. */
export const tokensText = (count: number): string => Math.round(count).toLocaleString("en-US");

/** Dollars with as many digits as the size needs; null: the price is not known. */
export const dollarsText = (usd: number | null): string => {
  if (usd === null) return "price unknown";
  return `$${usd.toFixed(usd > 0 && usd < 0.5 ? 4 : 2)}`;
};

/** 950ms, 12.3s, 4m 5s, 2h 3m. */
export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes}m ${Math.floor((ms % 60_000) / 1000)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
};

/** Name/value rows as text, one a line. */
export const rowsText = (rows: readonly { label: string; value: string }[]): string =>
  rows.map(({ label, value }) => `${label}: ${value}`).join("\n");
