// Makes an image fit for the model: checked by decoding it whole, within the API's sizes, never sent when it is damaged.
import type { Sharp, SharpInput, SharpOptions } from "sharp";
import type { ImageBlock } from "../../protocol/messages.js";

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** An image as it goes on the wire. */
export interface FittedImage {
  base64: string;
  type: ImageType;
  bytes: number;
  width: number;
  height: number;
  originalWidth: number;
  originalHeight: number;
}

const maxEdge = 2000; // the API's limit for requests with more than 20 images (8000 otherwise)
const aimBytes = 500 * 1024; // spec/tools section 4: above it JPEG is tried
const maxBytes = 3.75 * 1024 * 1024; // the API takes 5 MB in base64
const qualities = [80, 60, 40, 20];
const maxPixels = 200_000_000; // 800 MB decoded: more is an attack or a mistake

const signatures: readonly [ImageType, RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

/** The kind of image these first bytes begin, whatever the file is named. */
export const imageTypeOf = (head: Uint8Array): ImageType | undefined => {
  const text = Buffer.from(head.subarray(0, 16)).toString("latin1");
  return signatures.find(([, shape]) => shape.test(text))?.[0];
};

/** Pixels as a PDF page holds them. */
export interface RawPixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

const loadSharp = async () => {
  const { default: sharp } = await import("sharp");
  sharp.cache(false); // images are read once: nothing is worth keeping in memory
  return (input: SharpInput, options: SharpOptions = {}): Sharp =>
    sharp(input, { limitInputPixels: maxPixels, ...options });
};

/** The image in its final form; a string says in half a sentence why it cannot be used. Never throws. */
export const fitImage = async (source: Buffer | RawPixels): Promise<FittedImage | string> => {
  try {
    const sharp = await loadSharp();
    return Buffer.isBuffer(source) ? await fitFile(source, sharp) : await fitPixels(source, sharp);
  } catch (error) {
    return reasonOf(error);
  }
};

type Open = Awaited<ReturnType<typeof loadSharp>>;

const fitFile = async (bytes: Buffer, sharp: Open): Promise<FittedImage | string> => {
  const type = imageTypeOf(bytes);
  if (!type) return "it is not a PNG, JPEG, GIF or WebP image";
  const { autoOrient, orientation = 1 } = await sharp(bytes).metadata();
  const size = { originalWidth: autoOrient.width, originalHeight: autoOrient.height };
  const isSmall = Math.max(autoOrient.width, autoOrient.height) <= maxEdge && bytes.length <= aimBytes;
  if (isSmall && orientation === 1) {
    await sharp(bytes).stats(); // decodes every pixel: throws for a file that breaks off
    return {
      base64: bytes.toString("base64"),
      type,
      bytes: bytes.length,
      width: autoOrient.width,
      height: autoOrient.height,
      ...size,
    };
  }
  return encode(() => sharp(bytes).autoOrient(), type === "image/jpeg", size);
};

const fitPixels = ({ data, width, height, channels }: RawPixels, sharp: Open): Promise<FittedImage | string> =>
  encode(() => sharp(Buffer.from(data), { raw: { width, height, channels } }), true, {
    originalWidth: width,
    originalHeight: height,
  });

/** Scales down and writes PNG, or JPEG where PNG is large or the source is JPEG; weaker until it fits. */
const encode = async (
  open: () => Sharp,
  isPhoto: boolean,
  size: { originalWidth: number; originalHeight: number },
): Promise<FittedImage | string> => {
  const scaled = (): Sharp =>
    open().resize({ width: maxEdge, height: maxEdge, fit: "inside", withoutEnlargement: true });
  const finish = ({ data, info }: { data: Buffer; info: { width: number; height: number } }, type: ImageType) => ({
    base64: data.toString("base64"),
    type,
    bytes: data.length,
    width: info.width,
    height: info.height,
    ...size,
  });
  if (!isPhoto) {
    const png = await scaled().png().toBuffer({ resolveWithObject: true });
    if (png.data.length <= aimBytes) return finish(png, "image/png");
  }
  for (const quality of qualities) {
    const jpeg = await scaled()
      .flatten({ background: "white" })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
    if (jpeg.data.length <= maxBytes) return finish(jpeg, "image/jpeg");
  }
  return "it stays too large for the model even after scaling it down";
};

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message.split("\n")[0]!.trim() : String(error);
  if (/pixel limit/i.test(text)) return "it has too many pixels to be decoded";
  return `it is damaged or not complete (${text})`;
};

/** The block for the model. */
export const imageBlock = ({ type, base64 }: FittedImage): ImageBlock => ({
  type: "image",
  source: { type: "base64", media_type: type, data: base64 },
});

/** What the model must know to give places in the original picture; undefined when it sees it unscaled. */
export const scaleNote = ({ width, height, originalWidth, originalHeight }: FittedImage): string | undefined =>
  width === originalWidth && height === originalHeight
    ? undefined
    : `(The image is ${originalWidth}x${originalHeight} pixels; it is shown scaled to ${width}x${height}. Multiply coordinates by ${(originalWidth / width).toFixed(2)}.)`;
