// Panel: a round box with its title in the upper and its key hints in the lower border.
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { cutToWidth, textWidth } from "../../src/lib/text-width.js";
import type { Token } from "../theme/tokens.js";
import { useTheme } from "../theme/use-theme.js";
import { fittingEnd } from "./fitting.js";

export interface PanelProps {
  title: string;
  /** Right end of the upper border: counts, paths. */
  note?: string;
  /** Key hints in the lower border, joined by " · ", the most important last: the first that do not fit are left out. */
  footer?: string;
  width: number;
  border?: Token;
  children: ReactNode;
}

/** Cells of a panel's width that its content cannot use: two borders, two blanks. */
export const panelFrame = 4;

interface EdgeProps {
  corners: readonly [string, string];
  left: string;
  right: string;
  width: number;
  border: Token;
  isTitle: boolean;
}

const Edge = ({ corners, left, right, width, border, isTitle }: EdgeProps) => {
  const theme = useTheme();
  const room = width - 4;
  const shownRight = textWidth(right) + 2 <= room - Math.min(textWidth(left), 20) ? right : "";
  const rightWidth = shownRight === "" ? 0 : textWidth(shownRight) + 2;
  const shownLeft = cutToWidth(left, Math.max(0, room - rightWidth - 1));
  const leftWidth = shownLeft === "" ? 0 : textWidth(shownLeft) + 2;
  const line = "─".repeat(Math.max(0, width - 2 - leftWidth - rightWidth));
  const label = theme.ink(isTitle ? "strong" : "dim");
  return (
    <Text wrap="truncate" {...theme.ink(border)}>
      {corners[0]}
      {shownLeft !== "" && <Text {...label}>{` ${shownLeft} `}</Text>}
      {line}
      {shownRight !== "" && <Text {...theme.ink("dim")}>{` ${shownRight} `}</Text>}
      {corners[1]}
    </Text>
  );
};

/** Draws the frame around its children; the caller sees to it that they fit. */
export const Panel = ({ title, note = "", footer = "", width, border = "permission", children }: PanelProps) => {
  const { color } = useTheme().ink(border);
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <Edge corners={["╭", "╮"]} left={title} right={note} width={width} border={border} isTitle />
      <Box
        flexDirection="column"
        width={width}
        borderStyle="round"
        borderTop={false}
        borderBottom={false}
        {...(color === undefined ? {} : { borderColor: color })}
        paddingX={1}
      >
        {children}
      </Box>
      <Edge
        corners={["╰", "╯"]}
        left={fittingEnd(footer.split(" · "), width - 6)}
        right=""
        width={width}
        border={border}
        isTitle={false}
      />
    </Box>
  );
};
