// Puts text into this machine's clipboard with whatever tool is there. Over SSH only the terminal can do that.
import { spawn } from "node:child_process";
import type { Env } from "./paths.js";

type Tool = readonly [command: string, ...args: string[]];

/** Tools to try, the likeliest first. */
export const copyTools = (platform: NodeJS.Platform, env: Env): Tool[] => {
  const tmux: Tool[] = env.TMUX ? [["tmux", "load-buffer", "-w", "-"]] : [];
  if (env.SSH_CONNECTION || env.SSH_TTY) return tmux;
  if (platform === "darwin") return [["pbcopy"], ...tmux];
  const tools: Tool[] = [];
  if (env.WAYLAND_DISPLAY) tools.push(["wl-copy"]);
  if (env.DISPLAY) tools.push(["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]);
  if (env.WSL_DISTRO_NAME) tools.push(["clip.exe"]);
  return [...tools, ...tmux];
};

const run = ([command, ...args]: Tool, text: string, env: Env): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"], env: { ...env }, detached: true });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
    child.stdin?.on("error", () => undefined); // it ended before it had read all: its exit code says so
    child.stdin?.end(text);
    child.unref();
  });

/** Copies with the first tool that works; resolves to false when none does. Never rejects. */
export const copyText = async (text: string, env: Env, platform = process.platform): Promise<boolean> => {
  for (const tool of copyTools(platform, env)) if (await run(tool, text, env)) return true;
  return false;
};
