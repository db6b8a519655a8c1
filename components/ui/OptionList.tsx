// OptionList: numbered choices, the focused one marked. Draws only; the dialog that owns it handles the keys.
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { wrapText } from "../../src/lib/text-width.js";
import { useClickKeys } from "../mouse/use-click-keys.js";
import { useTheme } from "../theme/use-theme.js";

export interface Option {
  /** Unique among the options of a list. */
  id: string;
  label: string;
  /** Dim words behind or beside the label. */
  detail?: string;
  /** A tick box in front: true, false, or none. */
  isTicked?: boolean;
  /** A field or anything else behind the label; such an option has one row. */
  extra?: ReactNode;
}

export interface OptionListProps {
  options: readonly Option[];
  focus: number;
  width: number;
  /** Most rows; what does not fit scrolls with the focus. */
  height?: number;
  /** Column at which details begin; 0 puts them behind the label. */
  detailColumn?: number;
}

/** Cells in front of a label: mark, number, blanks. */
export const optionGutter = 5;
/** Least room for details in a column of their own. */
const minDetail = 24;

const tick = (isTicked: boolean | undefined): string => (isTicked === undefined ? "" : isTicked ? "[✓] " : "[ ] ");

const hasColumn = (width: number, detailColumn: number): boolean =>
  detailColumn > 0 && width - optionGutter >= detailColumn + minDetail;

/** Rows an option takes in a list of this width. */
export const optionHeight = ({ label, detail, isTicked, extra }: Option, width: number, detailColumn = 0): number => {
  if (extra) return 1;
  const room = Math.max(1, width - optionGutter);
  const text = `${tick(isTicked)}${label}`;
  if (!detail) return wrapText(text, room).length;
  if (!hasColumn(width, detailColumn)) return wrapText(`${text}  ${detail}`, room).length;
  return Math.max(wrapText(text, detailColumn).length, wrapText(detail, room - detailColumn).length);
};

/** Rows of all options together. */
export const optionsHeight = (options: readonly Option[], width: number, detailColumn = 0): number =>
  options.reduce((sum, option) => sum + optionHeight(option, width, detailColumn), 0);

/** The options that fit into `height` rows, the focused one among them. */
export const optionWindow = (heights: readonly number[], focus: number, height: number): [number, number] => {
  let start = focus;
  let end = focus + 1;
  let used = heights[focus] ?? 0;
  while (start > 0 && used + heights[start - 1]! <= height) used += heights[--start]!;
  while (end < heights.length && used + heights[end]! <= height) used += heights[end++]!;
  return [start, end];
};

const OptionRow = (props: { option: Option; at: number; focus: number; width: number; detailColumn: number }) => {
  const theme = useTheme();
  const { option, at, focus, width, detailColumn } = props;
  const isFocused = at === focus;
  const node = useClickKeys(at, focus);
  const { label, detail, isTicked, extra } = option;
  const inColumn = Boolean(detail) && hasColumn(width, detailColumn);
  const mark = theme.ink(isFocused ? "accent" : "text");
  return (
    <Box ref={node} width={width} flexShrink={0} aria-role="option" aria-state={{ selected: isFocused }}>
      <Box width={optionGutter} flexShrink={0}>
        <Text {...mark}>{`${isFocused ? "❯" : " "} ${at + 1}`}</Text>
      </Box>
      <Box flexShrink={extra || inColumn ? 0 : 1} {...(inColumn ? { width: detailColumn } : {})}>
        <Text {...mark} bold={isFocused}>
          {`${tick(isTicked)}${label}`}
          {detail && !inColumn ? <Text {...theme.ink("dim")} bold={false}>{`  ${detail}`}</Text> : null}
        </Text>
      </Box>
      {inColumn ? (
        <Box flexShrink={1} flexGrow={1}>
          <Text {...theme.ink("dim")}>{detail}</Text>
        </Box>
      ) : null}
      {extra}
    </Box>
  );
};

export const OptionList = ({ options, focus, width, height, detailColumn = 0 }: OptionListProps) => {
  const heights = options.map((option) => optionHeight(option, width, detailColumn));
  const [start, end] = optionWindow(heights, focus, height ?? Number.POSITIVE_INFINITY);
  return (
    <Box flexDirection="column" aria-role="listbox" flexShrink={0}>
      {options.slice(start, end).map((option, offset) => (
        <OptionRow
          key={option.id}
          option={option}
          at={start + offset}
          focus={focus}
          width={width}
          detailColumn={detailColumn}
        />
      ))}
    </Box>
  );
};

/** The next focus, walking round. */
export const stepFocus = (focus: number, by: 1 | -1, count: number): number => (focus + by + count) % count;

/** The option a number key names; null when it is no number or there is no such option. */
export const numbered = (text: string, count: number): number | null => {
  if (!/^[1-9]$/.test(text)) return null;
  const at = Number(text) - 1;
  return at < count ? at : null;
};
