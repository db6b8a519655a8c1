// TextInput: one line of an editor, with the real cursor. The state is the caller's; keys come through field-keys.
import { Box, Text } from "ink";
import { textWidth } from "../../src/lib/text-width.js";
import { drawnCell } from "../prompt/cells.js";
import type { EditorState } from "../prompt/editor.js";
import { useTheme } from "../theme/use-theme.js";
import { useCaret } from "./use-caret.js";

export interface TextInputProps {
  editor: EditorState;
  width: number;
  isActive: boolean;
  placeholder?: string;
  /** Shown instead of each character: secrets never reach the screen. */
  mask?: string;
}

/** The part of a line around the caret that fits, and the caret's column in it. */
export const visiblePart = (cells: readonly string[], caret: number, width: number) => {
  const room = Math.max(1, width - 1);
  let start = caret;
  let column = 0;
  while (start > 0) {
    const next = textWidth(cells[start - 1]!);
    if (column + next > room) break;
    column += next;
    start -= 1;
  }
  let end = start;
  let used = 0;
  while (end < cells.length && used + textWidth(cells[end]!) <= room) used += textWidth(cells[end++]!);
  return { text: cells.slice(start, end).join(""), column };
};

export const TextInput = ({ editor, width, isActive, placeholder = "", mask }: TextInputProps) => {
  const theme = useTheme();
  const cells = editor.cells.map((cell) => mask ?? (cell === "\n" ? " " : drawnCell(cell)));
  const { text, column } = visiblePart(cells, editor.caret, width);
  const node = useCaret(0, column, isActive);
  return (
    <Box ref={node} width={width} height={1}>
      {text === "" ? (
        <Text wrap="truncate" {...theme.ink("dim")}>
          {placeholder === "" ? " " : placeholder}
        </Text>
      ) : (
        <Text wrap="truncate">{text}</Text>
      )}
    </Box>
  );
};
