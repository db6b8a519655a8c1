// Paths that tools get from the model: made absolute, followed to where they land, shortened for people.
import { relative } from "node:path";
import { isInside, landingPath } from "../../platform/fs.js";
import { expandPath } from "../../platform/paths.js";
import type { ToolContext } from "../tool.js";

/** Absolute form of a path the model wrote. */
export const absolutePath = (path: string, { cwd, home }: Pick<ToolContext, "cwd" | "home">): string =>
  expandPath(path, cwd, home);

/** Both names of a path for the permission decision: as written and, behind links, where it lands. */
export const bothNames = async (path: string): Promise<string[]> => {
  const landing = await landingPath(path).catch(() => path); // a circle of links is reported by the call itself
  return landing === path ? [path] : [path, landing];
};

/** Relative to the working folder when inside it; names that could be misread are quoted. */
export const shortPath = (path: string, cwd: string): string =>
  quoteOddName(isInside(path, cwd) ? relative(cwd, path) || "." : path);

/** File names with control characters or line breaks as JSON strings, all others unchanged. */
export const quoteOddName = (name: string): string =>
  /[\u0000-\u001f\u007f]/.test(name) ? JSON.stringify(name) : name;
