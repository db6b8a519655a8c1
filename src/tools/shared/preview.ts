// The short form of a result that is too long for the context: its two ends and where the whole is.
import { formatBytes } from "../../platform/fs.js";

const endChars = 2000; // design.md section 4: first and last 2,000 characters, at line ends, at most 200 lines
const maxLines = 200;

/** Preview of a stored result: `<persisted-output>` with size, path, first and last lines. `text` may lack its middle. */
export const storedPreview = (text: string, stored: { path: string; bytes: number }): string => {
  const head = firstPart(text);
  const tail = lastPart(text.slice(head.length));
  return [
    "<persisted-output>",
    `The output is too long (${formatBytes(stored.bytes)}). The whole is in ${stored.path}; read parts of it with Read (offset, limit) or search it with Grep.`,
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
