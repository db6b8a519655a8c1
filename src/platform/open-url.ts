// Opens an address in the person's browser. Only http addresses, never through a shell.
import { spawn } from "node:child_process";
import type { Env } from "./paths.js";

/** The program that opens addresses here; undefined when nobody would see a browser. */
const opener = (env: Env, platform: NodeJS.Platform): string | undefined => {
  if (env.BROWSER) return env.BROWSER;
  if (platform === "darwin") return "open";
  return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : undefined;
};

/** Tries to open it; false when there is no browser to open it in. Never throws, waits for nothing. */
export const openUrl = (address: string, env: Env, platform: NodeJS.Platform = process.platform): boolean => {
  const program = opener(env, platform);
  if (!program || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return false;
  const child = spawn(program, [new URL(address).href], { stdio: "ignore", detached: true, env: { ...env } });
  child.on("error", () => undefined); // no such program: the address is shown as well
  child.unref();
  return true;
};
