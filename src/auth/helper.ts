// The setting apiKeyHelper: a command that prints a key, run again when the key is old or was refused.
import type { Env } from "../platform/paths.js";

export interface HelperKey {
  /** The key, fresh or from the last run. Rejects with a text for people when the command fails or prints nothing. */
  get(): Promise<string>;
  /** Forgets the key, so that the next `get` runs the command: after a 401. */
  expire(): void;
}

export interface HelperKeyOptions {
  command: string;
  ttlMs: number;
  /** Runs the command and gives its standard output. */
  run: (command: string) => Promise<string>;
  now: () => number;
}

const defaultTtlMs = 5 * 60_000; // spec/settings: apiKeyHelper

/** How long a helper's key is used, from CLAUDE_CODE_API_KEY_HELPER_TTL_MS. */
export const helperTtlMs = (env: Env): number => {
  const set = Number(env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS);
  return env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS && Number.isFinite(set) && set >= 0 ? set : defaultTtlMs;
};

/** A key from a helper command. Calls at the same time share one run of the command. */
export const createHelperKey = ({ command, ttlMs, run, now }: HelperKeyOptions): HelperKey => {
  let last: { key: string; at: number } | undefined;
  let running: Promise<string> | undefined;

  const fetchKey = async (): Promise<string> => {
    const output = await run(command).catch((error: unknown) => {
      throw new Error(`apiKeyHelper failed (${error instanceof Error ? error.message : String(error)}).`);
    });
    const key = output.trim();
    if (!key) throw new Error("apiKeyHelper printed nothing.");
    if (/\s/.test(key)) throw new Error("apiKeyHelper printed more than a key: it must print the key alone.");
    last = { key, at: now() };
    return key;
  };

  return {
    get: async () => {
      if (last && now() - last.at < ttlMs) return last.key;
      running ??= fetchKey().finally(() => {
        running = undefined;
      });
      return running;
    },
    expire: () => {
      last = undefined;
    },
  };
};
