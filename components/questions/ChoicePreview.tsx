// What an option has to look at before it is chosen: beside the options where there is room, else above them.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth } from "../../src/lib/text-width.js";
import { useTheme } from "../theme/use-theme.js";

/** Cells of a dialog below which options and preview stand one above the other. */
const leastWidth = 72;
/** Cells of the options' column. */
const leastOptions = 30;
const optionShare = 0.4;

/** The width of the options' column beside a preview; null where there is no room for both. */
export const optionsBeside = (inner: number): number | null =>
  inner < leastWidth ? null : Math.max(leastOptions, Math.floor(inner * optionShare));

/** A preview line by line as it was written (it may be a sketch), in at most `height` rows. */
export const previewRows = (preview: string, width: number, height: number): string[] => {
  const rows = sanitise(preview)
    .replace(/\n+$/, "")
    .split("\n")
    .map((row) => cutToWidth(row, width));
  if (rows.length <= height) return rows;
  const hidden = rows.length - height + 1;
  return [...rows.slice(0, height - 1), `… ${hidden} more ${hidden === 1 ? "row" : "rows"}`].slice(0, height);
};

/** The preview in a column of its own, behind a line. */
export const ChoicePreview = ({ preview, width, height }: { preview: string; width: number; height: number }) => {
  const theme = useTheme();
  const rows = preview === "" ? ["nothing to show for this one"] : previewRows(preview, width - 2, height);
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
        <Text key={at} wrap="truncate">
          <Text {...theme.ink("promptBorder")}>│ </Text>
          <Text {...theme.ink(preview === "" ? "dim" : "text")}>{row}</Text>
        </Text>
      ))}
    </Box>
  );
};
