// Stores and removes the API key a person typed.
import { keyProblem } from "../lib/key-problem.js";
import type { Keychain, StoredIn } from "./keychain.js";

export type LoginResult = { ok: true; storedIn: StoredIn } | { ok: false; reason: string };

/** Where a typed key went, for a person. */
export const storedText = (where: StoredIn): string =>
  `The key was stored in the ${where === "file" ? "settings folder (readable by you only)" : "system keychain"}.`;

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
