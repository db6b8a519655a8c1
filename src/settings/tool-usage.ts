// How often tools are used, counted in the state file: rarely used ones are offered by name only.
import { readState, type StateFile, updateState } from "./state-file.js";

export interface ToolUse {
  usageCount: number;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
}

export type ToolUsage = Readonly<Record<string, ToolUse>>;

const key = "toolUsage";
const dayMs = 86_400_000;
const halfLifeDays = 7;
const leastWeight = 0.1;
const rareBelow = 500;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** The counts in a state; entries that are none are left out. */
const usageIn = (data: Record<string, unknown>): Record<string, ToolUse> => {
  const entries = isObject(data[key]) ? Object.entries(data[key]) : [];
  return Object.fromEntries(
    entries.flatMap(([name, use]): [string, ToolUse][] =>
      isObject(use) && isCount(use.usageCount) && isCount(use.lastUsedAt)
        ? [[name, { usageCount: use.usageCount, lastUsedAt: use.lastUsedAt }]]
        : [],
    ),
  );
};

/** Uses, halved with each week since the last one, but never below a tenth (design.md section 4). */
export const usageScore = ({ usageCount, lastUsedAt }: ToolUse, nowMs: number): number =>
  usageCount * Math.max(0.5 ** (Math.max(0, nowMs - lastUsedAt) / dayMs / halfLifeDays), leastWeight);

/** Whether a tool is used so rarely that its name is enough. */
export const isRarelyUsed = (usage: ToolUsage, name: string, nowMs: number): boolean => {
  const use = Object.hasOwn(usage, name) ? usage[name] : undefined;
  return use === undefined || usageScore(use, nowMs) < rareBelow;
};

/** Reads the counts. A file that cannot be read counts as empty. */
export const readToolUsage = async (state: StateFile): Promise<ToolUsage> => {
  try {
    return usageIn((await readState(state)).data);
  } catch {
    return {}; // the counts only decide what is loaded later
  }
};

export interface UsageCounter {
  count(name: string): void;
  /** Adds what was counted since the last time to the file. Never rejects: what could not be written is tried again. */
  flush(): Promise<void>;
}

/** Counts uses in memory. Several programs may write at once: each adds its own under the file's lock. */
export const createUsageCounter = (state: StateFile, now: () => number): UsageCounter => {
  let counted = new Map<string, ToolUse>();
  let writing: Promise<void> = Promise.resolve();
  const add = (into: Map<string, ToolUse>, name: string, use: ToolUse): void => {
    const before = into.get(name);
    into.set(name, {
      usageCount: (before?.usageCount ?? 0) + use.usageCount,
      lastUsedAt: Math.max(before?.lastUsedAt ?? 0, use.lastUsedAt),
    });
  };
  const write = async (): Promise<void> => {
    if (counted.size === 0) return;
    const mine = counted;
    counted = new Map();
    try {
      await updateState(state, (data) => {
        const all = new Map(Object.entries(usageIn(data)));
        for (const [name, use] of mine) add(all, name, use);
        data[key] = { ...(isObject(data[key]) ? data[key] : {}), ...Object.fromEntries(all) };
      });
    } catch {
      for (const [name, use] of mine) add(counted, name, use); // a folder that cannot be written must not cost a run
    }
  };
  return {
    count: (name) => add(counted, name, { usageCount: 1, lastUsedAt: now() }),
    flush: () => {
      writing = writing.then(write);
      return writing;
    },
  };
};
