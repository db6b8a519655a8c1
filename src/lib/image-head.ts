// Kind and size of an image from its first bytes, without decoding it: PNG, JPEG, GIF, WebP.

export interface ImageHead {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  width: number;
  height: number;
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker); // those three hold tables, not a frame

const jpeg = (bytes: Buffer): ImageHead | undefined => {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return undefined;
    if (isFrame(bytes[at + 1] ?? 0))
      return { mediaType: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
};

const webp = (bytes: Buffer): ImageHead | undefined => {
  const mediaType = "image/webp";
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { mediaType, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8 ":
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
};

/** What the image is, or undefined: none of the four kinds, or cut off. Never throws. */
export const imageHead = (bytes: Buffer): ImageHead | undefined => {
  if (bytes.length >= 24 && bytes.toString("latin1", 1, 4) === "PNG")
    return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpeg(bytes);
  if (bytes.length >= 10 && bytes.toString("latin1", 0, 4) === "GIF8")
    return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes.length >= 30 && bytes.toString("latin1", 0, 4) === "RIFF") return webp(bytes);
  return undefined;
};
