// Numbered lines, as the Read tool shows them.

/** `<n>\t<line>` for each line, counting from `startLine`. */
export const numberLines = (lines: readonly string[], startLine = 1): string =>
  lines.map((line, index) => `${startLine + index}\t${line}`).join("\n");

/** The text without such numbers; undefined unless every line has one. */
export const stripNumbers = (text: string): string | undefined => {
  const lines = text.split("\n");
  if (!lines.every((line) => /^\s*\d+\t/.test(line))) return undefined;
  return lines.map((line) => line.replace(/^\s*\d+\t/, "")).join("\n");
};

/** Lines of a text; a final newline ends the last line and begins no new one. CR before LF is dropped. */
export const splitLines = (text: string): string[] => {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
};

/** 1-based number of the line that holds the character at `index`. */
export const lineAt = (text: string, index: number): number => {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
};
