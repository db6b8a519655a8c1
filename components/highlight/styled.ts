// Code lines as styled text, plain where there is nothing to colour.
import type { Theme } from "../theme/themes.js";
import type { CodeSpan } from "./highlighter.js";

export const styleSpans = (spans: readonly CodeSpan[], theme: Theme): string =>
  spans.map(({ text, token }) => (token === undefined ? text : theme.style(token, text))).join("");

/** Each line with its colours, or as it is where the theme has none for this language (yet). */
export const codeLines = (lines: readonly string[], language: string, theme: Theme): readonly string[] => {
  const spans = theme.highlight?.(lines, language);
  return spans ? spans.map((line) => styleSpans(line, theme)) : lines;
};
