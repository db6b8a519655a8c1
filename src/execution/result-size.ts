// Keeps a result within its tool's size: the whole goes to a file, the model gets a preview and the path.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { headAndTail } from "../lib/head-tail.js";
import type { ResultContent } from "../protocol/messages.js";

const previewChars = 2_000; // design.md section 4: first and last 2,000 characters …
const previewLines = 200; // … at most 200 lines
const unstoredBytes = 50_000; // head and tail kept when nothing could be stored

/** The text a stored result is replaced by. */
export const persistedPreview = (text: string, path: string): string =>
  [
    "<persisted-output>",
    `The result is ${text.length} characters long, too long to show whole. All of it is in ${path}`,
    "(use Read with offset and limit, or Grep, on that file). Beginning and end:",
    "",
    headAndTail(text, previewChars, previewLines / 2),
    "</persisted-output>",
  ].join("\n");

export interface SizeOptions {
  maxChars: number;
  /** Folder for whole results; created on first use. */
  resultsDir: string;
  toolUseId: string;
}

/**
 * The content as the model gets it. Text above `maxChars` is stored (mode 0600) and previewed;
 * images and documents beside it stay. Never throws: what cannot be stored is cut to head and tail.
 */
export const sizeResult = async (
  content: string | ResultContent[],
  options: SizeOptions,
): Promise<{ content: string | ResultContent[]; storedPath?: string }> => {
  if (typeof content !== "string") {
    const others = content.filter((block) => block.type !== "text");
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (others.length === 0) return sizeResult(text, options);
    if (text.length <= options.maxChars) return { content };
    const sized = await sizeResult(text, options);
    return { ...sized, content: [{ type: "text", text: String(sized.content) }, ...others] };
  }
  if (content.length <= options.maxChars || content.startsWith("<persisted-output>")) return { content };
  const path = join(options.resultsDir, `${options.toolUseId}.txt`);
  try {
    await mkdir(options.resultsDir, { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
  } catch {
    // A full or read-only disk must not lose the call: the model gets what fits.
    return { content: headAndTail(content, unstoredBytes / 2) };
  }
  return { content: persistedPreview(content, path), storedPath: path };
};
