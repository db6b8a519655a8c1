// A diff as rows: line numbers, signs, colours over the whole row, and marks on the words that changed.

import { sanitise } from "../../src/lib/sanitise.js";
import { hardWrap, padToWidth } from "../../src/lib/text-width.js";
import type { Display, Hunk } from "../../src/protocol/display.js";
import type { CodeSpan } from "../highlight/highlighter.js";
import { languageOfPath } from "../highlight/languages.js";
import { styleSpans } from "../highlight/styled.js";
import type { Token } from "../theme/tokens.js";
import { type DisplayOptions, hiddenRow, rowBudget } from "./options.js";
import { type Span, wordDiff } from "./word-diff.js";

type DiffDisplay = Extract<Display, { kind: "diff" }>;

interface Line {
  sign: " " | "−" | "+";
  number: number;
  spans: Span[];
  /** Its text with the colours of the language, where they are known. */
  code?: CodeSpan[];
}

const clean = (text: string): string => sanitise(text, { tabSize: 4 }).replaceAll("\n", "␤");

/** A hunk's lines with their numbers; removed and added lines that stand in for each other are compared by words. */
const linesOf = (hunk: Hunk): Line[] => {
  const lines: Line[] = [];
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  let removed: Line[] = [];
  let added: Line[] = [];
  const pair = () => {
    if (removed.length === added.length)
      for (const [index, line] of removed.entries()) {
        const other = added[index] as Line;
        const spans = wordDiff(line.spans[0]?.text ?? "", other.spans[0]?.text ?? "");
        if (spans) [line.spans, other.spans] = spans;
      }
    removed = [];
    added = [];
  };
  for (const raw of hunk.lines) {
    const spans = [{ text: clean(raw.slice(1)), isChanged: false }];
    if (raw.startsWith("-")) {
      if (added.length > 0) pair();
      const line: Line = { sign: "−", number: oldNumber++, spans };
      removed.push(line);
      lines.push(line);
    } else if (raw.startsWith("+")) {
      const line: Line = { sign: "+", number: newNumber++, spans };
      added.push(line);
      lines.push(line);
    } else if (raw.startsWith("\\")) {
      // "\ No newline at end of file" belongs to the line above and has no number.
    } else {
      pair();
      lines.push({ sign: " ", number: newNumber, spans });
      oldNumber++;
      newNumber++;
    }
  }
  pair();
  return lines;
};

/** Colours the lines of one hunk: the old and the new text are each code of their own. */
const colour = (lines: readonly Line[], language: string, theme: DisplayOptions["theme"]): void => {
  for (const side of ["−", "+"] as const) {
    const own = lines.filter(({ sign }) => sign === " " || sign === side);
    const drawn = theme.highlight?.(
      own.map(({ spans }) => spans.map(({ text }) => text).join("")),
      language,
    );
    for (const [index, code] of (drawn ?? []).entries()) (own[index] as Line).code = code;
  }
};

/** The line's text: code colours and word marks laid over each other, cut where either changes. */
const styledText = ({ sign, spans, code }: Line, word: Token, theme: DisplayOptions["theme"]): string => {
  const usesCode = code !== undefined && (sign === " " || theme.isDiffTinted);
  if (!usesCode) return spans.map((span) => (span.isChanged ? theme.style(word, span.text) : span.text)).join("");
  let rest = [...code];
  return spans
    .map((span) => {
      const inside: CodeSpan[] = [];
      for (let needed = span.text.length; needed > 0 && rest.length > 0; ) {
        const [first, ...others] = rest as [CodeSpan, ...CodeSpan[]];
        const text = first.text.slice(0, needed);
        inside.push({ ...first, text });
        needed -= text.length;
        rest = text === first.text ? others : [{ ...first, text: first.text.slice(text.length) }, ...others];
      }
      const styled = styleSpans(inside, theme);
      return span.isChanged ? theme.style(word, styled) : styled;
    })
    .join("");
};

const drawLine = (line: Line, digits: number, room: number, { width, theme }: DisplayOptions): string[] => {
  const [row, word]: [Token, Token] =
    line.sign === "+"
      ? ["diffAdded", "diffAddedWord"]
      : line.sign === "−"
        ? ["diffRemoved", "diffRemovedWord"]
        : ["diffContext", "diffContext"];
  const gutter = digits + 4;
  const text = styledText(line, word, theme);
  return hardWrap(text, Math.max(1, width - gutter), room).map((part, index) => {
    const number = index === 0 ? String(line.number).padStart(digits) : " ".repeat(digits);
    const sign = index === 0 ? line.sign : " ";
    const content = `${theme.style("lineNumber", number)}  ${sign} ${part}`;
    return line.sign === " " ? content.trimEnd() : theme.style(row, padToWidth(content, width));
  });
};

/** Rows of a diff within the budget; hunks are parted by a dim row. */
export const diffRows = (display: DiffDisplay, options: DisplayOptions): string[] => {
  const hunks = display.hunks.map(linesOf);
  const language = languageOfPath(display.path);
  for (const lines of hunks) colour(lines, language, options.theme);
  const largest = Math.max(1, ...hunks.map((lines) => Math.max(1, ...lines.map((line) => line.number))));
  const digits = String(largest).length;
  const all = hunks.flatMap((lines, index): (Line | "gap")[] => (index > 0 ? ["gap", ...lines] : lines));
  const budget = rowBudget(options);
  const rows: string[] = [];
  for (const [index, line] of all.entries()) {
    const drawn =
      line === "gap" ? [options.theme.style("dim", "…".padStart(digits))] : drawLine(line, digits, budget + 1, options);
    rows.push(...drawn);
    if (rows.length > budget || (rows.length === budget && index < all.length - 1)) {
      const shown = rows.slice(0, budget - 1);
      const hidden = rows.length - shown.length + (all.length - 1 - index);
      return [...shown, hiddenRow(hidden, options)];
    }
  }
  return rows;
};
