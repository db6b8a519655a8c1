// The body of an answer as text: what kind it is, which characters it is written in, Markdown where it was HTML.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../../platform/http/get.js";
import { htmlToMarkdown } from "./html.js";

const probeBytes = 4096; // where HTML names its encoding, and where a NUL gives a binary file away

export interface PageText {
  title: string;
  text: string;
}

/** The text of an answer; a string says why it is none. */
export const pageText = async ({ body, headers, isCut }: HttpAnswer, url: string): Promise<PageText | string> => {
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (!isTextType(type)) return `it is ${type}, not text. Download it with curl in Bash and inspect it there.`;
  const charset = charsetOf(body, headers["content-type"] ?? "", isCut);
  if (!charset.startsWith("utf-16") && body.subarray(0, probeBytes).includes(0))
    return "it is a binary file, not text. Download it with curl in Bash and inspect it there.";
  const text = decode(body, charset);
  const isHtml = /html/.test(type) || (type === "" && /^\s*(<!doctype html|<html)/i.test(text));
  return isHtml ? htmlToMarkdown(text, url) : { title: "", text };
};

const isTextType = (type: string): boolean =>
  type === "" ||
  type.startsWith("text/") ||
  /^application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|xhtml\+xml|x-ndjson|x-sh|sql|graphql)$/.test(
    type,
  ) ||
  /\+(json|xml)$/.test(type);

/** The encoding: byte-order mark, header, what the HTML says, then UTF-8 where it is valid. */
const charsetOf = (body: Buffer, contentType: string, isCut: boolean): string => {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body.subarray(0, 3).toString("hex") === "efbbbf") return "utf-8";
  const head = body.subarray(0, probeBytes).toString("latin1");
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  if (named && isKnown(named)) return named.toLowerCase();
  return looksLikeUtf8(body, isCut) ? "utf-8" : "windows-1252";
};

const isKnown = (label: string): boolean => {
  try {
    return Boolean(new TextDecoder(label));
  } catch {
    return false; // a name no decoder knows
  }
};

/** A last character that was cut off with the rest of the body is no fault. */
const looksLikeUtf8 = (body: Buffer, isCut: boolean): boolean =>
  (isCut ? [0, 1, 2, 3] : [0]).some((lost) => isUtf8(body.subarray(0, body.length - lost)));

const decode = (body: Buffer, charset: string): string => new TextDecoder(charset).decode(body);
