// The short form of a result that is too long for the context: its two ends and where the whole is.
import { formatBytes } from "../../platform/fs.js";

const endChars = 2000; // design.md section 4: first and last 2,000 characters, at line ends, at most 200 lines
const maxLines = 200;

export interface StoredOutput {
  path: string;
  /** Of the whole output. */
  bytes: number;
  /** How much of its beginning the file holds. */
  storedBytes: number;
}

/** Where the output is, and how much of it. */
const placeOf = ({ path, bytes, storedBytes }: StoredOutput): string => {
  if (storedBytes === 0) return "It could not be stored: only what follows is left of it.";
  const found = storedBytes < bytes ? `Only its first ${formatBytes(storedBytes)} are in` : "The whole is in";
  const lost = storedBytes < bytes ? " What came behind them was not stored, apart from the last part below." : "";
  return `${found} ${path}; read parts of it with Read (offset, limit) or search it with Grep.${lost}`;
};

/** Preview of a stored result: `<persisted-output>` with size, path, first and last lines. `text` may lack its middle. */
export const storedPreview = (text: string, stored: StoredOutput): string => {
  const head = firstPart(text);
  const tail = lastPart(text.slice(head.length));
  return [
    "<persisted-output>",
    `The output is too long (${formatBytes(stored.bytes)}). ${placeOf(stored)}`,
    "",
    "First part:",
    head.trimEnd(),
    "…",
    "Last part:",
    tail.replace(/^\n+/, ""),
    "</persisted-output>",
  ].join("\n");
};

const firstPart = (text: string): string => {
  const part = text.slice(0, endChars);
  const lines = part.split("\n").slice(0, maxLines / 2);
  const isCut = part.length < text.length && lines.length > 1 && lines.join("\n").length === part.length;
  return (isCut ? lines.slice(0, -1) : lines).join("\n").replace(/[\ud800-\udbff]$/, "");
};

const lastPart = (text: string): string => {
  const part = text.slice(-endChars);
  const lines = part.split("\n").slice(-maxLines / 2);
  const isCut = part.length < text.length && lines.length > 1 && lines.join("\n").length === part.length;
  return (isCut ? lines.slice(1) : lines).join("\n").replace(/^[\udc00-\udfff]/, "");
};
