// Finds and runs ripgrep: the bundled binary, or the system's `rg` where that is wanted or the bundled one is missing.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Env } from "./paths.js";
import { type ProcessOptions, type ProcessOutcome, runProcess } from "./process.js";

/** Command to start: an absolute path, or "rg" for the one in PATH. USE_BUILTIN_RIPGREP=0 asks for the latter. */
export const ripgrepPath = (env: Env): string => {
  if (/^(0|false|no|off)$/i.test(env.USE_BUILTIN_RIPGREP ?? "")) return "rg";
  try {
    const require = createRequire(import.meta.url);
    const path = require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
    return existsSync(path) ? path : "rg";
  } catch {
    return "rg"; // the optional dependency is not there for this platform
  }
};

/** Runs ripgrep without the user's configuration file. `error` is set when there is no ripgrep at all. */
export const runRipgrep = (args: readonly string[], options: ProcessOptions & { env: Env }): Promise<ProcessOutcome> =>
  runProcess(ripgrepPath(options.env), ["--no-config", ...args], options);
