// Reads kind and size of an image from its first bytes: PNG, JPEG, GIF, WebP.

export interface ImageSize {
  mediaType: string;
  width: number;
  height: number;
}

const jpegSize = (bytes: Buffer): ImageSize | undefined => {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // SOF0-SOF15 hold the size; C4, C8 and CC are other segments of that range.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { mediaType: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

const webpSize = (bytes: Buffer): ImageSize | undefined => {
  const mediaType = "image/webp";
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { mediaType, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (kind === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  if (kind === "VP8 ")
    return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
};

/** Kind and size of an image, or undefined when it is none of the four kinds or cut short. */
export const imageSize = (bytes: Buffer): ImageSize | undefined => {
  if (bytes.length < 10) return undefined;
  if (bytes.length >= 24 && bytes.toString("latin1", 1, 4) === "PNG")
    return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes);
  if (bytes.toString("latin1", 0, 4) === "GIF8")
    return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes.length >= 30 && bytes.toString("latin1", 0, 4) === "RIFF") return webpSize(bytes);
  return undefined;
};
