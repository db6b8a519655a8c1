// The image on the clipboard, read with whatever program the system has for that.
import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import type { Env } from "./paths.js";

const timeoutMs = 5_000;
const maxBytes = 50 * 1024 * 1024;

/** Output of a program; undefined when it is missing or fails. */
const output = (command: string, args: readonly string[], env: Env): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    const path = (env.PATH ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":");
    const options = {
      encoding: "buffer",
      timeout: timeoutMs,
      maxBuffer: maxBytes,
      env: { ...env, PATH: path },
    } as const;
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout)).stdin?.end();
  });

const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** An image by one of the programs that list what the clipboard offers and give one of it. */
const offered = async (
  command: string,
  args: { list: string[]; get: (type: string) => string[] },
  env: Env,
): Promise<Buffer | "none" | undefined> => {
  const list = await output(command, args.list, env);
  if (!list) return undefined;
  const types = list.toString("utf8").split(/\s+/);
  const type = imageTypes.find((one) => types.includes(one));
  return type === undefined ? "none" : output(command, args.get(type), env);
};

/** AppleScript prints data as hex between marks: «data PNGf89504E47…». */
const appleImage = async (env: Env): Promise<Buffer | undefined> => {
  const direct = await output("pngpaste", ["-"], env);
  if (direct && direct.length > 0) return direct;
  const script = await output("osascript", ["-e", "the clipboard as «class PNGf»"], env);
  const hex = /PNGf([0-9A-F]+)/i.exec(script?.toString("utf8") ?? "")?.[1];
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
};

/** The image's bytes, or half a sentence that says why there are none. Never rejects. */
export const clipboardImage = async (env: Env): Promise<Buffer | string> => {
  if (process.platform === "darwin") return (await appleImage(env)) ?? "there is no image on the clipboard";
  const wayland = { list: ["--list-types"], get: (type: string) => ["--no-newline", "--type", type] };
  const x11 = {
    list: ["-selection", "clipboard", "-t", "TARGETS", "-o"],
    get: (type: string) => ["-selection", "clipboard", "-t", type, "-o"],
  };
  const found =
    (env.WAYLAND_DISPLAY ? await offered("wl-paste", wayland, env) : undefined) ??
    (env.DISPLAY ? await offered("xclip", x11, env) : undefined);
  if (Buffer.isBuffer(found) && found.length > 0) return found;
  if (found === "none") return "there is no image on the clipboard";
  return "the clipboard cannot be read here (wl-paste or xclip is needed); paste or drag the path of an image file instead";
};
