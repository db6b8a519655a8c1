// Displays with structure of their own: file lines, paths, todos, agents, images, JSON.

import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, hardWrap, wrapText } from "../../src/lib/text-width.js";
import type { Display, Todo } from "../../src/protocol/display.js";
import { languageOfPath } from "../highlight/languages.js";
import { codeLines } from "../highlight/styled.js";
import { type DisplayOptions, hiddenRow, limitRows, rowBudget } from "./options.js";
import { textRows } from "./text-rows.js";

type Kind<Name extends Display["kind"]> = Extract<Display, { kind: Name }>;

/** Numbered lines of a file, as much as fits. */
export const fileLineRows = (display: Kind<"lines">, options: DisplayOptions): string[] => {
  const digits = String(display.startLine + display.lines.length - 1).length;
  const room = Math.max(1, options.width - digits - 2);
  const budget = rowBudget(options);
  const rows: string[] = [];
  const longest = (budget + 1) * room * 2;
  const shown = display.lines
    .slice(0, budget + 1)
    .map((line) => sanitise(line.slice(0, longest), { tabSize: 4 }).replaceAll("\n", "␤"));
  const language = display.path === undefined ? "" : languageOfPath(display.path);
  for (const [index, text] of codeLines(shown, language, options.theme).entries()) {
    const drawn = hardWrap(text, room, budget + 1);
    for (const [part, row] of drawn.entries()) {
      const number = part === 0 ? String(display.startLine + index).padStart(digits) : " ".repeat(digits);
      rows.push(`${options.theme.style("lineNumber", number)}  ${row}`.trimEnd());
    }
    const rest = display.lines.length - 1 - index;
    if (rows.length > budget || (rows.length === budget && rest > 0)) {
      const kept = rows.slice(0, budget - 1);
      return [...kept, hiddenRow(rows.length - kept.length + rest, options)];
    }
  }
  return rows;
};

export const pathRows = (display: Kind<"paths">, options: DisplayOptions): string[] => {
  const budget = rowBudget(options);
  const fits = display.paths.length <= budget && display.total <= display.paths.length;
  const shown = fits ? display.paths : display.paths.slice(0, budget - 1);
  const rows = shown.map((path) => cutToWidth(sanitise(path).replaceAll("\n", "␤"), options.width));
  return fits ? rows : [...rows, hiddenRow(Math.max(display.total, display.paths.length) - shown.length, options)];
};

const todoRow = (todo: Todo, { theme, width }: DisplayOptions): string => {
  const subject = sanitise(todo.subject).replaceAll("\n", " ");
  const text = cutToWidth(subject, width - 2);
  if (todo.status === "completed") return `${theme.style("success", "✓")} ${theme.style("dim", text)}`;
  if (todo.status === "in_progress") return `${theme.style("accent", "●")} ${theme.style("strong", text)}`;
  const isBlocked = (todo.blockedBy?.length ?? 0) > 0;
  return `${theme.style("dim", "○")} ${isBlocked ? theme.style("dim", text) : text}`;
};

export const todoRows = (display: Kind<"todos">, options: DisplayOptions): string[] =>
  limitRows(
    display.todos.map((todo) => todoRow(todo, options)),
    options,
  );

const bytesText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`;

export const imageRows = (display: Kind<"image">, { width, theme }: DisplayOptions): string[] => [
  cutToWidth(
    `${sanitise(display.label).replaceAll("\n", " ")} ${theme.style("dim", `${sanitise(display.mediaType).replaceAll("\n", " ")} · ${bytesText(display.bytes)}`)}`,
    width,
  ),
];

/** JSON with two-space indentation; values that cannot be written as JSON are named instead. */
export const jsonRows = (display: Kind<"json">, options: DisplayOptions): string[] => {
  let text: string;
  try {
    text = JSON.stringify(display.value, null, 2) ?? "undefined";
  } catch (error) {
    // Cycles and big integers: the display must not take the screen down.
    text = `(not JSON: ${error instanceof Error ? error.message : String(error)})`;
  }
  return textRows(text, options);
};

export const summaryRows = (summary: string, { width }: DisplayOptions): string[] =>
  wrapText(sanitise(summary, { tabSize: 4 }), width);
