// Finds and runs ripgrep: the bundled binary, or the system's `rg` where that is wanted or the bundled one is missing.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Env } from "./paths.js";
import { type ProcessOptions, type ProcessOutcome, runProcess } from "./process.js";

/** Command to start: an absolute path, or "rg" for the one in PATH. USE_BUILTIN_RIPGREP=0 asks for the latter. */
export const ripgrepPath = (env: Env): string => {
  if (/^(0|false|no|off)$/i.test(env.USE_BUILTIN_RIPGREP ?? "")) return "rg";
  const binary = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`;
  const require = createRequire(import.meta.url);
  // The binary's package is a dependency of the other: beside it, or below it where packages are not hoisted.
  for (const from of [() => require, () => createRequire(require.resolve("@vscode/ripgrep"))]) {
    try {
      const path = from().resolve(binary);
      if (existsSync(path)) return path;
    } catch {
      // Not installed there; optional dependencies may be missing for this platform.
    }
  }
  return "rg";
};

/** Runs ripgrep without the user's configuration file. `error` is set when there is no ripgrep at all. */
export const runRipgrep = (args: readonly string[], options: ProcessOptions & { env: Env }): Promise<ProcessOutcome> =>
  runProcess(ripgrepPath(options.env), ["--no-config", ...args], options);
