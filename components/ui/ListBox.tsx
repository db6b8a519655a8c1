// ListBox: a long list in a window around the focused row. Draws only.
import { Box, Text } from "ink";
import { cutToWidth, textWidth } from "../../src/lib/text-width.js";
import { useClickKeys } from "../mouse/use-click-keys.js";
import { useTheme } from "../theme/use-theme.js";

export interface ListRow {
  id: string;
  label: string;
  /** Dim words at the right end. */
  detail?: string;
  isCurrent?: boolean;
}

export interface ListBoxProps {
  rows: readonly ListRow[];
  focus: number;
  width: number;
  height: number;
  empty: string;
}

/** First row of a window of `height` rows around `focus`. */
export const listTop = (focus: number, count: number, height: number): number =>
  Math.max(0, Math.min(focus - Math.floor(height / 2), count - height));

const Row = ({ row, at, focus, width }: { row: ListRow; at: number; focus: number; width: number }) => {
  const theme = useTheme();
  const node = useClickKeys(at, focus);
  const isFocused = at === focus;
  const room = width - 4;
  const detail = row.detail ? cutToWidth(row.detail, Math.floor(room / 2)) : "";
  const label = cutToWidth(row.label, Math.max(4, room - textWidth(detail) - 2));
  const gap = " ".repeat(Math.max(1, room - textWidth(label) - textWidth(detail)));
  return (
    <Box ref={node} width={width} flexShrink={0}>
      <Text wrap="truncate" {...theme.ink(isFocused ? "accent" : "text")} bold={isFocused}>
        {`${isFocused ? "❯" : " "} ${row.isCurrent ? "✓" : " "} ${label}`}
        <Text {...theme.ink("dim")} bold={false}>{`${gap}${detail}`}</Text>
      </Text>
    </Box>
  );
};

export const ListBox = ({ rows, focus, width, height, empty }: ListBoxProps) => {
  const theme = useTheme();
  if (rows.length === 0) return <Text {...theme.ink("dim")}>{empty}</Text>;
  const room = rows.length > height ? Math.max(1, height - 1) : height;
  const top = listTop(focus, rows.length, room);
  const shown = rows.slice(top, top + room);
  return (
    <Box flexDirection="column" aria-role="listbox">
      {shown.map((row, at) => (
        <Row key={row.id} row={row} at={top + at} focus={focus} width={width} />
      ))}
      {rows.length > shown.length && (
        <Text {...theme.ink("dim")}>{`    ${focus + 1} of ${rows.length} · ↑↓ pgup pgdn`}</Text>
      )}
    </Box>
  );
};
