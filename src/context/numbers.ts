// All numbers of the context pipeline in one place (design.md section 6, unless a line says otherwise). Tokens, percent of the window, characters.

/** Steps of stages 1 and 2: at each crossing everything eligible is shrunk at once, between them nothing changes. */
export const firstStepPercent = 50;
export const stepPercent = 5;

/** Stage 1: old results above these sizes become head and tail. */
export const cutFirst = { fromPercent: 50, aboveChars: 10_000, keepChars: 4_000 } as const;
export const cutHarder = { fromPercent: 70, aboveChars: 3_000, keepChars: 2_000 } as const;

/** Stage 2. */
export const snipFromPercent = 60;
export const searchesKept = 3;

/** Stages 1 to 3 never touch the newest results. */
export const resultsKeptWhole = 3;

/** Stage 3: idle longer than the cache lives, the prefix is to be paid anew anyway. */
export const cacheTtlMs = { "5m": 5 * 60_000, "1h": 60 * 60_000 } as const;
/** Ours: below this a pause is not worth forgetting for: reading files again costs more than sending them again. */
export const clearFromTokens = 20_000;

/** Stage 4: finished tool rounds that are worth folding. */
export const roundsToFold = 5;

/** Stage 5: room for the summary and a buffer below the window's end. */
export const summaryReserve = 20_000;
export const compactBuffer = 13_000;
/** Ours: small windows (local models) keep at least half of it usable. */
export const largestReserveShare = 0.5;
/** Bounds of CLAUDE_CODE_AUTO_COMPACT_WINDOW (spec/memory-and-context.md section 6). */
export const autoCompactWindowBounds = { min: 100_000, max: 1_000_000 } as const;

/** When a compaction itself is too long: the oldest part is left out, so many times. */
export const peelShare = 0.2;
export const peelTries = 3;
/** Failures in a row after which nothing is compacted unasked. */
export const failuresBeforeBreak = 3;
/** More compactions within so many turns gain nothing: the rest fills the window anew each time (ours; F058). */
export const refillTurns = 10;
export const refillCompactions = 3;
/** A compaction that frees less than this share is not repeated by itself. */
export const leastFreedShare = 0.2;

/** Put back after a compaction. */
export const filesRestored = 5;
export const fileTokens = 5_000;
export const allFilesTokens = 50_000;
export const skillTokens = 5_000;
export const allSkillsTokens = 25_000;
/** Ours: newest rounds that stay as they are, as long as they are small. */
export const tailTokens = 10_000;
/** Ours: the last request is kept word for word up to this length. */
export const requestChars = 20_000;

/** Estimates before the API has counted: characters of a token, and what media costs (about 1,600 for a full-size image). */
export const charsPerToken = 4;
export const imageTokens = 1_600;
export const documentBytesPerToken = 50;
