// Stores and removes the API key a person typed.
import type { Keychain, StoredIn } from "./keychain.js";

export type LoginResult = { ok: true; storedIn: StoredIn } | { ok: false; reason: string };

const shortestKey = 8;

/** What is wrong with a typed key, or undefined. */
export const keyProblem = (key: string): string | undefined => {
  if (key === "") return "No key was entered.";
  if (/\s/.test(key)) return "A key has no blanks or line breaks in it.";
  if (/[^\x21-\x7e]/.test(key)) return "A key has only plain ASCII characters.";
  return key.length < shortestKey ? "That is too short to be a key." : undefined;
};

/** Checks the form of a typed key and stores it. The reason of a failure never contains the key. */
export const storeKey = async (keychain: Keychain, typed: string): Promise<LoginResult> => {
  const key = typed.trim();
  const problem = keyProblem(key);
  if (problem) return { ok: false, reason: problem };
  try {
    return { ok: true, storedIn: await keychain.set(key) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    return {
      ok: false,
      reason: `The key could not be stored (${code}): check the permissions of the settings folder.`,
    };
  }
};

/** Forgets the stored key. True when there was one. */
export const removeKey = (keychain: Keychain): Promise<boolean> => keychain.remove();
