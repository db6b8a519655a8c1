// OptionList: numbered choices, the focused one marked. Draws only; the dialog that owns it handles the keys.
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../theme/use-theme.js";

export interface Option {
  /** Unique among the options of a list. */
  id: string;
  label: string;
  /** Dim words behind or below the label. */
  detail?: string;
  /** A tick box in front: true, false, or none. */
  isTicked?: boolean;
  /** A field or anything else behind the label. */
  extra?: ReactNode;
}

export interface OptionListProps {
  options: readonly Option[];
  focus: number;
  width: number;
  /** Column at which details begin; 0 puts them behind the label. */
  detailColumn?: number;
}

/** Cells in front of a label: mark, number, blanks. */
export const optionGutter = 5;

const tick = (isTicked: boolean | undefined): string => (isTicked === undefined ? "" : isTicked ? "[✓] " : "[ ] ");

export const OptionList = ({ options, focus, width, detailColumn = 0 }: OptionListProps) => {
  const theme = useTheme();
  const room = width - optionGutter;
  const hasColumn = detailColumn > 0 && detailColumn < room / 2 + 8;
  return (
    <Box flexDirection="column" aria-role="listbox">
      {options.map(({ id, label, detail, isTicked, extra }, at) => {
        const isFocused = at === focus;
        const mark = theme.ink(isFocused ? "accent" : "text");
        return (
          <Box key={id} width={width} aria-role="option" aria-state={{ selected: isFocused }}>
            <Box width={optionGutter} flexShrink={0}>
              <Text {...mark}>{`${isFocused ? "❯" : " "} ${at + 1}`}</Text>
            </Box>
            <Box flexShrink={extra ? 0 : 1} {...(hasColumn && detail ? { width: detailColumn } : {})}>
              <Text {...mark} bold={isFocused}>
                {`${tick(isTicked)}${label}`}
                {!hasColumn && detail ? <Text {...theme.ink("dim")} bold={false}>{`  ${detail}`}</Text> : null}
              </Text>
            </Box>
            {hasColumn && detail ? (
              <Box flexShrink={1} flexGrow={1}>
                <Text {...theme.ink("dim")}>{detail}</Text>
              </Box>
            ) : null}
            {extra}
          </Box>
        );
      })}
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
