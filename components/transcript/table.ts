// Markdown tables as boxes: columns share the width, cells wrap, borders stand straight whatever the cells hold.
import type { Tokens } from "marked";
import { padToWidth, textWidth, wrapText } from "../../src/lib/text-width.js";
import type { Theme } from "../theme/themes.js";
import { renderInline } from "./inline.js";

const minColumn = 4;

/** Column widths: natural ones when they fit, else the widest give way first. Null when there is no room for a box. */
const columnWidths = (natural: readonly number[], available: number): number[] | null => {
  const widths = natural.map((width) => Math.max(1, width));
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  if (excess <= 0) return widths;
  if (available < widths.length * minColumn) return null;
  while (excess > 0) {
    const widest = Math.max(...widths);
    const second = Math.max(minColumn, ...widths.filter((width) => width < widest));
    const atWidest = widths.filter((width) => width === widest).length;
    if (widest <= minColumn) return null;
    const cut = Math.max(1, Math.min(widest - second, Math.floor(excess / atWidest)));
    for (let index = 0; index < widths.length && excess > 0; index++) {
      if (widths[index] !== widest) continue;
      const step = Math.min(cut, excess);
      widths[index] = widest - step;
      excess -= step;
    }
  }
  return widths;
};

const align = (text: string, width: number, how: string | null): string => {
  const gap = Math.max(0, width - textWidth(text));
  if (how === "right") return " ".repeat(gap) + text;
  if (how === "center") return " ".repeat(Math.floor(gap / 2)) + text + " ".repeat(Math.ceil(gap / 2));
  return padToWidth(text, width);
};

/** Where two columns are too many: each row as "Header: cell" lines. */
const stackedRows = (cells: string[][], headers: string[], width: number): string[] =>
  cells.flatMap((row, index) => [
    ...(index > 0 ? [""] : []),
    ...row.flatMap((cell, column) => wrapText(`${headers[column] ?? ""}: ${cell}`, width)),
  ]);

/** Rows of a table, each at most `width` cells. */
export const tableRows = (table: Tokens.Table, width: number, theme: Theme): string[] => {
  const cell = ({ tokens }: Tokens.TableCell) => renderInline(tokens, theme).replaceAll("\n", " ");
  const headers = table.header.map((head) => theme.style("strong", cell(head)));
  const body = table.rows.map((row) => row.map(cell));
  const natural = headers.map((head, column) =>
    Math.max(textWidth(head), ...body.map((row) => textWidth(row[column] ?? ""))),
  );
  // Box characters are of ambiguous width: where they take two cells the box is drawn in ASCII.
  const isWide = textWidth("│") > 1;
  const [bar, dash] = isWide ? ["|", "-"] : ["│", "─"];
  const widths = columnWidths(natural, width - 3 * headers.length - 1);
  if (widths === null) return stackedRows(body, headers, width);

  const line = (left: string, middle: string, right: string) => {
    const corners = isWide ? ["+", "+", "+"] : [left, middle, right];
    return theme.style("rule", corners[0] + widths.map((w) => dash.repeat(w + 2)).join(corners[1]) + corners[2]);
  };
  const side = theme.style("rule", bar);
  const drawRow = (cells: readonly string[]): string[] => {
    const wrapped = widths.map((w, column) => wrapText(cells[column] ?? "", w));
    const height = Math.max(...wrapped.map((rows) => rows.length));
    return Array.from({ length: height }, (_, y) => {
      const parts = widths.map((w, column) => ` ${align(wrapped[column]?.[y] ?? "", w, table.align[column] ?? null)} `);
      return side + parts.join(side) + side;
    });
  };
  const drawn = body.map(drawRow);
  const isRuled = drawn.some((rows) => rows.length > 1);
  const middle = line("├", "┼", "┤");
  return [
    line("┌", "┬", "┐"),
    ...drawRow(headers),
    middle,
    ...drawn.flatMap((rows, index) => (isRuled && index > 0 ? [middle, ...rows] : rows)),
    line("└", "┴", "┘"),
  ];
};
