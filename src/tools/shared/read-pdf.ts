// Reads a PDF: whole as a document where the model takes them, else page by page as text, scanned pages as pictures.
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import type { ResultContent } from "../../protocol/messages.js";
import { fitImage, imageBlock } from "./read-image.js";

export const wholePages = 10; // spec/tools section 4: up to here whole
export const maxPagesPerCall = 20; // the same
const documentBytes = 5 * 1024 * 1024; // it is sent again with every request, and a request may have 32 MB
const scannedChars = 10; // fewer characters on a page: what it shows is a picture
const smallestScan = 200; // pixels; smaller pictures are logos

export interface PdfRequest {
  /** "3", "1-5" or "10-". */
  pages?: string;
  takesDocuments: boolean;
  maxChars: number;
  signal: AbortSignal;
}

export type PdfReading =
  | { kind: "document"; base64: string; total: number }
  /** `text` is the text alone, `content` has pictures of scanned pages in place. */
  | {
      kind: "pages";
      content: ResultContent[];
      text: string;
      first: number;
      last: number;
      total: number;
      pictures: number;
    }
  /** A sentence for the model. */
  | { kind: "problem"; text: string };

/** Reads the file's bytes as a PDF. Never throws for what is in them. */
export const readPdf = async (bytes: Buffer, request: PdfRequest): Promise<PdfReading> => {
  let pdf: PDFDocumentProxy;
  try {
    pdf = await open(bytes);
  } catch (error) {
    return { kind: "problem", text: openProblem(error) };
  }
  try {
    const total = pdf.numPages;
    const isWhole = request.pages === undefined && total <= wholePages;
    if (isWhole && request.takesDocuments && bytes.length <= documentBytes)
      return { kind: "document", base64: bytes.toString("base64"), total };
    const range =
      request.pages === undefined ? { first: 1, last: Math.min(total, wholePages) } : parsePages(request.pages, total);
    return typeof range === "string" ? { kind: "problem", text: range } : await readPages(pdf, range, request);
  } finally {
    await pdf.loadingTask.destroy();
  }
};

const open = async (bytes: Buffer): Promise<PDFDocumentProxy> => {
  const { getDocumentProxy } = await import("unpdf");
  return getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }); // a copy: the reader takes the buffer away
};

const openProblem = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === "PasswordException")
    return "it is locked with a password. Ask for an open copy, or unlock it with qpdf in Bash.";
  return `it is damaged or no PDF (${text}).`;
};

/** The pages a text names, cut to those there are; a string says what is wrong with it. */
export const parsePages = (text: string, total: number): { first: number; last: number } | string => {
  const found = /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/.exec(text);
  if (!found) return `pages is "${text}"; write one page ("3") or a range ("1-5").`;
  const first = Number(found[1]);
  const wanted =
    found[2] === undefined ? first : found[3] ? Number(found[3]) : Math.min(total, first + maxPagesPerCall - 1);
  if (first < 1 || first > total)
    return `there is no page ${first}: it has ${total} ${total === 1 ? "page" : "pages"}.`;
  if (wanted < first) return `pages is "${text}", which ends before it begins.`;
  const last = Math.min(wanted, total);
  if (last - first >= maxPagesPerCall)
    return `pages "${text}" are ${last - first + 1} pages; at most ${maxPagesPerCall} can be read in one call, e.g. "${first}-${first + maxPagesPerCall - 1}".`;
  return { first, last };
};

const readPages = async (
  pdf: PDFDocumentProxy,
  { first, last }: { first: number; last: number },
  { maxChars, signal }: PdfRequest,
): Promise<PdfReading> => {
  const content: ResultContent[] = [];
  const texts: string[] = [];
  let chars = 0;
  let done = first - 1;
  for (let number = first; number <= last; number++) {
    signal.throwIfAborted();
    const text = await pageText(pdf, number);
    if (chars + text.length > maxChars && number > first) break;
    chars += text.length;
    const shown =
      text.length > maxChars ? `${text.slice(0, maxChars)}\n[page cut here: ${text.length} characters in all]` : text;
    const pictures = text.replace(/\s/g, "").length < scannedChars ? await pagePictures(pdf, number) : [];
    const said = shown.trim() || (pictures.length > 0 ? "(no text; the page is a picture)" : "(no text on this page)");
    texts.push(`--- Page ${number} ---\n${said}`);
    content.push({ type: "text", text: texts.at(-1)! }, ...pictures);
    done = number;
  }
  const pictures = content.filter(({ type }) => type === "image").length;
  return {
    kind: "pages",
    content: joinTexts(content),
    text: texts.join("\n\n"),
    first,
    last: done,
    total: pdf.numPages,
    pictures,
  };
};

const pageText = async (pdf: PDFDocumentProxy, number: number): Promise<string> => {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
};

/** The largest picture of a page without text. */
const pagePictures = async (pdf: PDFDocumentProxy, number: number): Promise<ResultContent[]> => {
  const { extractImages } = await import("unpdf");
  const found = await extractImages(pdf, number).catch(() => []); // a picture in a form that cannot be decoded
  const [largest] = found
    .filter(({ width, height }) => Math.min(width, height) >= smallestScan)
    .sort((a, b) => b.width * b.height - a.width * a.height);
  if (!largest) return [];
  const fitted = await fitImage(largest);
  return typeof fitted === "string" ? [] : [imageBlock(fitted)];
};

/** Neighbouring texts as one block. */
const joinTexts = (blocks: readonly ResultContent[]): ResultContent[] => {
  const joined: ResultContent[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.type === "text" && last?.type === "text") last.text += `\n\n${block.text}`;
    else joined.push(block.type === "text" ? { ...block } : block);
  }
  return joined;
};
