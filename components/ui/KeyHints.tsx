// KeyHints: the list of keys, in as many columns as fit.
import { Box, Text } from "ink";
import { useStore } from "zustand";
import { padToWidth } from "../../src/lib/text-width.js";
import { describedKeys, keymapStore } from "../keys/keymap.js";
import { useTheme } from "../theme/use-theme.js";

const columnWidth = 50;
const keyWidth = 14;

/** `describedKeys` as rows of text, `width` cells wide. */
export const keyRows = (width: number): string[] => {
  const entries = describedKeys().map(({ keys, description }) => `${padToWidth(keys, keyWidth)}${description}`);
  const columnCount = Math.max(1, Math.floor(width / columnWidth));
  const height = Math.ceil(entries.length / columnCount);
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: columnCount }, (_, column) => entries[column * height + row] ?? "")
      .map((entry) => (columnCount === 1 ? entry : padToWidth(entry, columnWidth)))
      .join("")
      .trimEnd(),
  );
};

export const KeyHints = ({ width, height }: { width: number; height: number }) => {
  const theme = useTheme();
  useStore(keymapStore);
  const rows = keyRows(width - 4);
  const shown = rows.slice(0, height);
  const hidden = rows.length - shown.length;
  return (
    <Box flexDirection="column" flexShrink={0} paddingLeft={2}>
      <Text wrap="truncate" {...theme.ink("dim")}>
        {shown.join("\n")}
      </Text>
      {hidden > 0 && <Text {...theme.ink("dim")}>{`${hidden} more rows: /help`}</Text>}
    </Box>
  );
};
