// Keeps compiled code between starts: a second start compiles nothing.
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { configDir, type Env } from "../platform/paths.js";

/** Switches the cache on, inside the settings folder: a folder that others can write to could hold others' code. */
export const keepCodeCache = (env: Env): void => {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  enableCompileCache(join(configDir(env), "cache", "code"));
};
