// Debug log of a session: off unless asked for, appended to <configDir>/debug/<session>.txt, secrets masked.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { configDir, type Env } from "./paths.js";

export interface Log {
  /** Adds one line. Never throws. */
  write(area: string, text: string): void;
  /** Where it goes; undefined while logging is off. */
  path: string | undefined;
}

/** A log that keeps nothing. */
export const silentLog: Log = { write: () => undefined, path: undefined };

const secretShapes: [RegExp, string][] = [
  [/\b(sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, "$1-***"],
  [/\b(gh[pousr]|github_pat|glpat|xox[abprs])[_-][A-Za-z0-9_-]{8,}/g, "$1_***"],
  [/\bAKIA[A-Z0-9]{12,}/g, "AKIA***"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 ***"],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, "***"],
  [/("?[\w-]*(?:api[_-]?key|token|secret|password|authorization)"?\s*[:=]\s*"?)[^\s"',;&]{4,}/gi, "$1***"],
  [/(:\/\/[^\s/:@]+:)[^\s/@]+@/g, "$1***@"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, "*** private key ***"],
];

/** The text with everything that looks like a key, token or password replaced by stars. */
export const maskSecrets = (text: string): string =>
  secretShapes.reduce((masked, [shape, replacement]) => masked.replace(shape, replacement), text);

/**
 * Opens the session's log. With `enabled` false nothing is written anywhere.
 * CLAUDE_CODE_DEBUG_LOGS_DIR moves the folder.
 */
export const openLog = (options: { env: Env; sessionId: string; enabled: boolean }): Log => {
  if (!options.enabled) return silentLog;
  const folder = options.env.CLAUDE_CODE_DEBUG_LOGS_DIR || join(configDir(options.env), "debug");
  const path = join(folder, `${options.sessionId}.txt`);
  let isReady = false;
  return {
    path,
    write: (area, text) => {
      try {
        if (!isReady) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        isReady = true;
        appendFileSync(path, `${new Date().toISOString()} [${area}] ${maskSecrets(text)}\n`, { mode: 0o600 });
      } catch {
        // A full or read-only disk must not stop the session for the sake of its debug log.
      }
    },
  };
};
