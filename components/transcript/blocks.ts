// Splits Markdown into top-level blocks without looking ahead further than needed, so that a streaming answer parses
// only its last block again. A block called final stays as it is however the text goes on.

export interface MarkdownBlock {
  kind: "markdown";
  text: string;
  /** Where the next block is looked for. */
  end: number;
  isFinal: boolean;
}
export interface FenceStart {
  kind: "fence";
  /** The fence's own characters, e.g. "```". */
  marker: string;
  language: string;
  indent: number;
  end: number;
  isFinal: boolean;
}
export type Block = MarkdownBlock | FenceStart;

const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const maybeListMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)$/;
const fenceOpen = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

interface Line {
  text: string;
  /** Index behind the line's newline, or the text's end. */
  next: number;
  isComplete: boolean;
}

/** The line that starts at `position`, without its line end. */
export const lineAt = (text: string, position: number): Line => {
  const newline = text.indexOf("\n", position);
  const end = newline < 0 ? text.length : newline;
  return {
    text: text.slice(position, end).replace(/\r$/, ""),
    next: newline < 0 ? end : end + 1,
    isComplete: newline >= 0,
  };
};

const isBlank = (line: string): boolean => line.trim() === "";

/** Whether a line behind a blank one still belongs to a list; "unsure" until enough of it has arrived. */
const continuesList = (line: Line): boolean | "unsure" => {
  if (/^\s/.test(line.text)) return true;
  if (listMarker.test(line.text) && (line.isComplete || !maybeListMarker.test(line.text))) return true;
  return !line.isComplete && maybeListMarker.test(line.text) ? "unsure" : listMarker.test(line.text);
};

/** The next block at or behind `position`, or null when only blank lines are left. */
export const nextBlock = (text: string, position: number): Block | null => {
  let start = position;
  let line = lineAt(text, start);
  while (isBlank(line.text)) {
    if (line.next >= text.length) return null;
    start = line.next;
    line = lineAt(text, start);
  }
  const fence = fenceOpen.exec(line.text);
  if (fence)
    return {
      kind: "fence",
      indent: (fence[1] as string).length,
      marker: fence[2] as string,
      language: (fence[3] as string).trim().split(/\s/)[0] ?? "",
      end: line.next,
      isFinal: line.isComplete,
    };

  let hasList = listMarker.test(line.text);
  let contentEnd = line.isComplete ? line.next - 1 : line.next;
  let cursor = line.next;
  let isAfterBlank = false;
  while (cursor < text.length) {
    const next = lineAt(text, cursor);
    if (isBlank(next.text)) {
      isAfterBlank = true;
      cursor = next.next;
      continue;
    }
    if (/^(?:`{3}|~{3})/.test(next.text) && fenceOpen.test(next.text))
      return { kind: "markdown", text: text.slice(start, contentEnd), end: cursor, isFinal: next.isComplete };
    if (isAfterBlank) {
      const isContinued = hasList ? continuesList(next) : false;
      if (isContinued === false)
        return { kind: "markdown", text: text.slice(start, contentEnd), end: cursor, isFinal: isSettled(next) };
    }
    isAfterBlank = false;
    hasList ||= listMarker.test(next.text);
    contentEnd = next.isComplete ? next.next - 1 : next.next;
    cursor = next.next;
  }
  return { kind: "markdown", text: text.slice(start, contentEnd), end: cursor, isFinal: false };
};

/** A line's first characters decide what it is; backticks and tildes may yet become a fence, which ends a block as well. */
const isSettled = (line: Line): boolean => line.isComplete || !maybeListMarker.test(line.text);

/** Whether `line` closes a fence opened with `marker`. */
export const closesFence = (line: string, marker: string): boolean => {
  const body = line.trim();
  return body.length >= marker.length && /^ {0,3}\S/.test(line) && [...body].every((c) => c === marker[0]);
};
