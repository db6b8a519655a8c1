// Markdown as terminal rows: marked's lexer finds the structure, rows are wrapped and styled here.
import type { Token, Tokens } from "marked";
import { sanitise } from "../../src/lib/sanitise.js";
import { hardWrap, textWidth, wrapText } from "../../src/lib/text-width.js";
import { languageOfFence } from "../highlight/languages.js";
import { codeLines } from "../highlight/styled.js";
import type { Theme } from "../theme/themes.js";
import { decodeEntities, renderInline } from "./inline.js";
import { lexMarkdown } from "./lex.js";
import { tableRows } from "./table.js";

export interface MarkdownOptions {
  /** Cells a row may take: code and tables use all of it, prose at most `proseWidth`. */
  width: number;
  theme: Theme;
}

/** Longest line of prose, in cells: longer ones are hard to read. */
export const maxProse = 100;

const codeIndent = "  ";

/** Lines of a code block as rows. What is not known to the highlighter is plain, except for diffs. */
export const codeRows = (lines: readonly string[], info: string, { width, theme }: MarkdownOptions): string[] => {
  const clean = lines.flatMap((line) => sanitise(line, { tabSize: 4 }).split("\n"));
  const language = languageOfFence(info);
  const drawn = language === "diff" ? clean.map((line) => diffLine(line, theme)) : codeLines(clean, language, theme);
  return drawn
    .flatMap((line) => hardWrap(line, Math.max(1, width - codeIndent.length)))
    .map((row) => (row === "" ? "" : codeIndent + theme.style("codeBlock", row)));
};

const diffLine = (line: string, theme: Theme): string =>
  line.startsWith("+") ? theme.style("success", line) : line.startsWith("-") ? theme.style("error", line) : line;

const indentRows = (rows: readonly string[], first: string, rest: string): string[] =>
  rows.map((row, index) => (index === 0 ? first + row : row === "" ? "" : rest + row));

const itemMarker = (list: Tokens.List, item: Tokens.ListItem, index: number, theme: Theme): string => {
  if (item.task) return item.checked ? `${theme.style("success", "✓")} ` : "☐ ";
  return list.ordered ? `${Number(list.start || 1) + index}. ` : "• ";
};

const listRows = (list: Tokens.List, options: MarkdownOptions): string[] =>
  list.items.flatMap((item, index) => {
    const marker = itemMarker(list, item, index, options.theme);
    const indent = textWidth(marker);
    const rows = blockRows(item.tokens, { ...options, width: Math.max(4, options.width - indent) });
    return indentRows(rows.length === 0 ? [""] : rows, marker, " ".repeat(indent));
  });

const quoteRows = (quote: Tokens.Blockquote, options: MarkdownOptions): string[] => {
  const bar = options.theme.style("rule", "│ ");
  return blockRows(quote.tokens, { ...options, width: Math.max(4, options.width - 2) }).map(
    (row) => bar + options.theme.style("quote", row),
  );
};

const tokenRows = (token: Token, options: MarkdownOptions): string[] => {
  const { theme } = options;
  const prose = Math.min(options.width, maxProse);
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return [];
    case "heading":
      return wrapText(theme.style("heading", renderInline(token.tokens, theme)), prose);
    case "hr":
      return [theme.style("rule", "─".repeat(Math.max(1, Math.floor(prose / textWidth("─")))))];
    case "list":
      return listRows(token as Tokens.List, options);
    case "blockquote":
      return quoteRows(token as Tokens.Blockquote, options);
    case "code":
      return codeRows((token as Tokens.Code).text.split("\n"), token.lang ?? "", options);
    case "table":
      return tableRows(token as Tokens.Table, options.width, theme);
    case "html":
      return wrapText(token.raw.trimEnd(), prose);
    default:
      return wrapText(
        "tokens" in token && token.tokens ? renderInline(token.tokens, theme) : decodeEntities(token.raw),
        prose,
      );
  }
};

const blockRows = (tokens: readonly Token[], options: MarkdownOptions): string[] =>
  tokens.flatMap((token) => tokenRows(token, options));

/** Rows of one top-level block of Markdown (no open fences: `tail.ts` handles those line by line). */
export const markdownBlockRows = (text: string, options: MarkdownOptions): string[] => {
  // Nothing of this opens or closes anything: answers are mostly plain paragraphs.
  const clean = sanitise(text, { tabSize: 4 });
  return blockRows(lexMarkdown(clean), options);
};
