// Repair: images within the API's limits; one that is not becomes a note, since it would make every later request fail.
import { imageHead } from "../../lib/image-head.js";
import { type AnyBlock, isObject, mapBlocks, note, type Repair } from "./repair.js";

// Limits of the Messages API (November 2026).
const mostImages = 100;
const mostBytes = 5 * 1024 * 1024;
const mostPixels = 8000; // of the longer side
const manyImages = 20; // a request with more than these …
const mostPixelsOfMany = 2000; // … takes only smaller ones
const mostBytesInAll = 24 * 1024 * 1024; // of base64; a request may have 32 MB in all

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isMedia = ({ type }: AnyBlock): boolean => type === "image" || type === "document";

interface Looked {
  /** Why it can never be sent. */
  fault?: string;
  /** Longer side in pixels; 0 where it does not count. */
  pixels: number;
  chars: number;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const lookAtImage = (source: Record<string, unknown>, bytes: Buffer): Omit<Looked, "chars"> => {
  if (bytes.length > mostBytes) return { fault: `it has ${megabytes(bytes.length)}, 5 MB is the limit`, pixels: 0 };
  const head = imageHead(bytes);
  if (!head) return { fault: "it is no PNG, JPEG, GIF or WebP image", pixels: 0 };
  const { mediaType, width, height } = head;
  if (source.media_type !== mediaType)
    return { fault: `it is ${mediaType}, not ${String(source.media_type)}`, pixels: 0 };
  const pixels = Math.max(width, height);
  if (width === 0 || height === 0) return { fault: "it has no pixels", pixels };
  if (pixels > mostPixels) return { fault: `it is ${width} × ${height} pixels, ${mostPixels} is the limit`, pixels };
  return { pixels };
};

const look = ({ type, source }: AnyBlock): Looked => {
  if (!isObject(source)) return { fault: "it holds no data", pixels: 0, chars: 0 };
  if (source.type !== "base64") return { pixels: 0, chars: 0 };
  const data = typeof source.data === "string" ? source.data : "";
  const chars = data.length;
  if (data === "" || !base64.test(data)) return { fault: "its data are damaged", pixels: 0, chars };
  const bytes = Buffer.from(data, "base64");
  if (type === "image") return { ...lookAtImage(source, bytes), chars };
  const isPdf = source.media_type !== "application/pdf" || bytes.subarray(0, 1024).includes("%PDF-");
  return isPdf ? { pixels: 0, chars } : { fault: "it is no PDF", pixels: 0, chars };
};

const looked = new WeakMap<AnyBlock, Looked>();

/** Looks at a block once: decoding megabytes for each request would be felt. */
const lookOnce = (block: AnyBlock): Looked => {
  const found = looked.get(block) ?? look(block);
  looked.set(block, found);
  return found;
};

const leftOut = ({ type }: AnyBlock, why: string): AnyBlock => note(`${type} left out: ${why}`);

/** All images and documents, oldest first, also those inside results. */
const mediaOf = (messages: Parameters<Repair>[0]): AnyBlock[] => {
  const found: AnyBlock[] = [];
  mapBlocks(messages, (block) => {
    if (isMedia(block)) found.push(block);
    else if (block.type === "tool_result" && Array.isArray(block.content))
      found.push(...(block.content as AnyBlock[]).filter(isMedia));
    return block;
  });
  return found;
};

/** Why each block that cannot go is left out. The newest ones have precedence where there are too many. */
const faultsOf = (media: readonly AnyBlock[]): Map<AnyBlock, string> => {
  const faults = new Map<AnyBlock, string>();
  let [images, chars] = [0, 0];
  for (const block of media.toReversed()) {
    const { fault, chars: own } = lookOnce(block);
    if (fault === undefined && block.type === "image") images++;
    if (fault !== undefined) faults.set(block, fault);
    else if (images > mostImages) faults.set(block, `a request may hold ${mostImages} images, and newer ones follow`);
    else if (chars + own > mostBytesInAll)
      faults.set(block, "the attachments were too large together, and newer ones follow");
    else chars += own;
  }
  if (images > manyImages)
    for (const block of media)
      if (!faults.has(block) && lookOnce(block).pixels > mostPixelsOfMany)
        faults.set(block, `with more than ${manyImages} images none may be larger than ${mostPixelsOfMany} pixels`);
  return faults;
};

/** Notes in place of the blocks that `faults` names, also inside results. */
export const withoutMedia = (messages: Parameters<Repair>[0], fault: (block: AnyBlock) => string | undefined) => {
  const replaced = (block: AnyBlock): AnyBlock => {
    const why = isMedia(block) ? fault(block) : undefined;
    return why === undefined ? block : leftOut(block, why);
  };
  return mapBlocks(messages, (block) => {
    if (block.type !== "tool_result" || !Array.isArray(block.content)) return replaced(block);
    const inner = block.content as AnyBlock[];
    const content = inner.map(replaced);
    return content.some((part, at) => part !== inner[at]) ? { ...block, content } : block;
  });
};

/** Notes in place of images and documents that the API would refuse. */
export const fittingImages: Repair = (messages) => {
  const media = mediaOf(messages);
  if (media.length === 0) return [...messages];
  const faults = faultsOf(media);
  return faults.size === 0 ? [...messages] : withoutMedia(messages, (block) => faults.get(block));
};
