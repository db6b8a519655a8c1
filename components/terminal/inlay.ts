// Inlay: rows that Ink keeps room for and never lays out. What changes many times a second is asked for when a frame is
// drawn; in Ink's frame a mark stands for each of its rows.

/** The rows that stand there now. */
export type InlaySource = () => readonly string[];

const firstMark = 0xf0000; // private use: no text has it, and each is one cell wide
const mostRows = 1_000;

/** What Ink is given in the place of `count` rows, one to a line. */
export const inlayMarks = (count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(firstMark + index)).join("\n");

const indexOf = (row: string): number => {
  const index = row.length === 2 ? (row.codePointAt(0) ?? 0) - firstMark : -1;
  return index < mostRows ? index : -1;
};

/** Ink's rows with the inlay in the place of its marks. Without marks the source is not asked. */
export const fillInlay = (rows: readonly string[], source: InlaySource): readonly string[] => {
  if (!rows.some((row) => indexOf(row) >= 0)) return rows;
  const inlay = source();
  return rows.map((row) => {
    const index = indexOf(row);
    return index < 0 ? row : (inlay[index] ?? "");
  });
};
