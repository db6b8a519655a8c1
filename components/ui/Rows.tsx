// Rows: ready terminal rows inside the Ink pane, with a note where some are hidden.
import { Text } from "ink";
import { useTheme } from "../theme/use-theme.js";

export interface RowsProps {
  rows: readonly string[];
  /** Most rows to show, the notes included. */
  height: number;
  /** First row shown; clamped. */
  offset?: number;
}

/** The first row that may be shown first so that the window is filled. */
export const lastOffset = (count: number, height: number): number => Math.max(0, count - Math.max(1, height - 1));

/** A window on rows. What does not fit is counted below, with the key that shows it. */
export const Rows = ({ rows, height, offset = 0 }: RowsProps) => {
  const theme = useTheme();
  if (rows.length === 0) return null;
  if (rows.length <= height) return <Text wrap="truncate">{rows.map(visible).join("\n")}</Text>;
  const room = Math.max(1, height - 1);
  const start = Math.min(offset, lastOffset(rows.length, height));
  const below = rows.length - start - room;
  const note = [start > 0 ? `↑ ${start}` : "", below > 0 ? `↓ ${below}` : ""].filter(Boolean).join(" · ");
  return (
    <>
      <Text wrap="truncate">
        {rows
          .slice(start, start + room)
          .map(visible)
          .join("\n")}
      </Text>
      {height > 1 && <Text {...theme.ink("dim")}>{`${note} more rows · pgup pgdn`}</Text>}
    </>
  );
};

/** Ink drops an empty line of a text; a blank keeps it. */
const visible = (row: string): string => (row === "" ? " " : row);
