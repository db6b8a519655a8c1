// What a server answered: text to the model as it is (like a command's output), images fitted, other bytes in a file.
// For the eye the display is cleaned where it is drawn.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Display } from "../../protocol/display.js";
import type { ImageBlock, ResultContent } from "../../protocol/messages.js";
import { fitImage, imageBlock, scaleNote } from "../shared/read-image.js";
import type { ToolResult } from "../tool.js";

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textAt = (fields: Fields, key: string): string => {
  const value = fields[key];
  return typeof value === "string" ? value : "";
};

const maxImages = 20; // more in one result is a mistake, and more than the API takes well

export interface StoreOptions {
  /** Folder for bytes that are no text; created on first use. */
  resultsDir: string;
  /** Name of the stored files, without an ending. */
  id: string;
}

const endings: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "image/svg+xml": "svg",
  "text/html": "html",
};

/** Keeps bytes in a file and says where. */
const stored = async (base64: string, mimeType: string, n: number, { resultsDir, id }: StoreOptions) => {
  const bytes = Buffer.from(base64, "base64");
  const path = join(resultsDir, `${id}-${n}.${endings[mimeType] ?? "bin"}`);
  try {
    await mkdir(resultsDir, { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    return `[${mimeType || "binary"}, ${bytes.length} bytes, kept in ${path}]`;
  } catch (error) {
    return `[${mimeType || "binary"}, ${bytes.length} bytes, which could not be stored: ${(error as Error).message}]`;
  }
};

const imageBlocks = async (data: string, what: string): Promise<ResultContent[]> => {
  const fitted = await fitImage(Buffer.from(data, "base64"));
  if (typeof fitted === "string") return [{ type: "text", text: `[${what} cannot be shown: ${fitted}]` }];
  const note = scaleNote(fitted);
  return [...(note ? [{ type: "text" as const, text: note }] : []), imageBlock(fitted)];
};

const isImage = (mimeType: string): boolean => mimeType.startsWith("image/") && mimeType !== "image/svg+xml";

/** One resource with its content: text as it is, images as images, other bytes in a file. */
const resourceBlocks = async (resource: Fields, n: number, options: StoreOptions): Promise<ResultContent[]> => {
  const uri = textAt(resource, "uri");
  const mimeType = textAt(resource, "mimeType");
  if (typeof resource.text === "string")
    return [{ type: "text", text: `${uri === "" ? "" : `[${uri}]\n`}${resource.text}` }];
  if (typeof resource.blob !== "string") return [{ type: "text", text: `[${uri}: empty]` }];
  if (isImage(mimeType)) return imageBlocks(resource.blob, uri || "the image");
  return [{ type: "text", text: `[${uri}] ${await stored(resource.blob, mimeType, n, options)}` }];
};

const blockContent = async (block: Fields, n: number, options: StoreOptions): Promise<ResultContent[]> => {
  const mimeType = textAt(block, "mimeType");
  switch (block.type) {
    case "text":
      return [{ type: "text", text: textAt(block, "text") }];
    case "image":
      return imageBlocks(String(block.data ?? ""), "the image");
    case "audio":
      return [{ type: "text", text: await stored(String(block.data ?? ""), mimeType, n, options) }];
    case "resource":
      return resourceBlocks(fieldsOf(block.resource), n, options);
    case "resource_link": {
      const words = [textAt(block, "name"), textAt(block, "description"), mimeType].filter(Boolean).join(" · ");
      return [{ type: "text", text: `[resource ${textAt(block, "uri")}${words ? `: ${words}` : ""}]` }];
    }
    default:
      return [{ type: "text", text: JSON.stringify(block) }];
  }
};

/** All text as one block, images behind it. */
const gathered = (blocks: readonly ResultContent[]): string | ResultContent[] => {
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const images = blocks.filter((block): block is ImageBlock => block.type === "image");
  if (images.length === 0) return text;
  const left = images.length > maxImages ? `\n[${images.length - maxImages} more images are left out]` : "";
  const words = `${text}${left}`.trim();
  return [...(words === "" ? [] : [{ type: "text" as const, text: words }]), ...images.slice(0, maxImages)];
};

const displayOf = (content: string | ResultContent[]): Display => {
  if (typeof content === "string") return { kind: "text", text: content === "" ? "(no content)" : content };
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const images = content.filter(({ type }) => type === "image").length;
  return { kind: "text", text, summary: `${images} ${images === 1 ? "image" : "images"}` };
};

/** The answer to a tool call. An error of the tool is a result with `isError`. */
export const callResult = async (answer: Record<string, unknown>, options: StoreOptions): Promise<ToolResult> => {
  const given = (Array.isArray(answer.content) ? answer.content : []).map(fieldsOf);
  const blocks = (await Promise.all(given.map((block, n) => blockContent(block, n, options)))).flat();
  const { structuredContent } = answer;
  if (blocks.length === 0 && structuredContent !== undefined)
    blocks.push({ type: "text", text: JSON.stringify(structuredContent, null, 2) });
  const content = gathered(blocks);
  return {
    content: content === "" ? "(the tool gave no content)" : content,
    display: displayOf(content),
    structured: structuredContent ?? blocks,
    ...(answer.isError === true ? { isError: true } : {}),
  };
};

/** The contents of a resource that was read. */
export const resourceResult = async (answer: Record<string, unknown>, options: StoreOptions): Promise<ToolResult> => {
  const given = (Array.isArray(answer.contents) ? answer.contents : []).map(fieldsOf);
  const blocks = (await Promise.all(given.map((one, n) => resourceBlocks(one, n, options)))).flat();
  const content = gathered(blocks);
  return {
    content: content === "" ? "(the resource is empty)" : content,
    display: displayOf(content),
    structured: blocks,
  };
};
