// Finds the credentials of the Messages API and says where they came from.
import { keyCharacterProblem } from "../lib/key-problem.js";
import type { Env } from "../platform/paths.js";
import { createHelperKey, type HelperKey, helperTtlMs } from "./helper.js";
import type { Keychain } from "./keychain.js";

/** Where a key came from, as `system/init` and /status name it. */
export type KeySource = "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" | "apiKeyHelper" | "/login managed key" | "none";

export type FoundCredentials =
  | { kind: "apiKey"; source: KeySource; apiKey: string }
  | { kind: "authToken"; source: KeySource; authToken: string }
  | { kind: "helper"; source: KeySource; helper: HelperKey }
  /** `problem`: why the stored key is not used. */
  | { kind: "none"; source: "none"; problem?: string };

export interface FindOptions {
  env: Env;
  /** Only from sources that may choose credentials: never from an untrusted folder's files. */
  settings: { apiKeyHelper?: string };
  keychain: Keychain;
  /** Runs a helper command for its output. */
  runHelper: (command: string) => Promise<string>;
  now: () => number;
  /** Interactive sessions use a key of the environment only when the person approved it. Absent: all are used. */
  isApproved?: (key: string) => boolean;
}

/** The credentials to use: token, then key of the environment, then the helper, then the stored key. Never throws. */
export const findCredentials = async (options: FindOptions): Promise<FoundCredentials> => {
  const { env, settings, keychain, runHelper, now, isApproved = () => true } = options;
  const authToken = env.ANTHROPIC_AUTH_TOKEN?.trim();
  if (authToken) return { kind: "authToken", source: "ANTHROPIC_AUTH_TOKEN", authToken };
  const envKey = env.ANTHROPIC_API_KEY?.trim();
  if (envKey && isApproved(envKey)) return { kind: "apiKey", source: "ANTHROPIC_API_KEY", apiKey: envKey };
  if (settings.apiKeyHelper) {
    const helper = createHelperKey({ command: settings.apiKeyHelper, ttlMs: helperTtlMs(env), run: runHelper, now });
    return { kind: "helper", source: "apiKeyHelper", helper };
  }
  const stored = await keychain.get();
  const problem = stored === undefined ? undefined : keyCharacterProblem(stored);
  if (problem) return { kind: "none", source: "none", problem: `The stored key cannot be used. ${problem}` };
  if (stored) return { kind: "apiKey", source: "/login managed key", apiKey: stored };
  return { kind: "none", source: "none" };
};

/** What a provider needs before each call. Rejects when a helper fails. */
export const currentCredentials = async (found: FoundCredentials): Promise<{ apiKey?: string; authToken?: string }> => {
  switch (found.kind) {
    case "apiKey":
      return { apiKey: found.apiKey };
    case "authToken":
      return { authToken: found.authToken };
    case "helper":
      return { apiKey: await found.helper.get() };
    case "none":
      return {};
  }
};

/** What to do when a key was refused: a helper is run again. Undefined where no other key can come. */
export const renewalOf = (found: FoundCredentials): (() => void) | undefined =>
  found.kind === "helper" ? () => found.helper.expire() : undefined;

/** The part of the state file that remembers which keys of the environment a person approved, by their last 20 characters. */
export interface KeyResponses {
  customApiKeyResponses?: { approved?: string[]; rejected?: string[] };
}

const tailLength = 20;

/** The last characters of a key: enough to recognise it, too little to use it. */
export const keyTail = (key: string): string => key.slice(-tailLength);

/** What the person said about a key of the environment. */
export const keyResponse = (state: KeyResponses, key: string): "approved" | "rejected" | "unknown" => {
  const { approved = [], rejected = [] } = state.customApiKeyResponses ?? {};
  if (approved.includes(keyTail(key))) return "approved";
  return rejected.includes(keyTail(key)) ? "rejected" : "unknown";
};

/** The state with the person's word on a key; an earlier word is replaced. */
export const withKeyResponse = <S extends KeyResponses>(state: S, key: string, isApproved: boolean): S => {
  const tail = keyTail(key);
  const { approved = [], rejected = [] } = state.customApiKeyResponses ?? {};
  const without = (list: string[]): string[] => list.filter((item) => item !== tail);
  return {
    ...state,
    customApiKeyResponses: {
      ...state.customApiKeyResponses,
      approved: isApproved ? [...without(approved), tail] : without(approved),
      rejected: isApproved ? without(rejected) : [...without(rejected), tail],
    },
  };
};
