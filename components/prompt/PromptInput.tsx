// PromptInput: draws the prompt and hands its keys to the controller. Nothing else renders at a keystroke.
import { Box, type DOMElement, Text } from "ink";
import { useLayoutEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { columns, rows } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { keyFor } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import type { Token } from "../theme/tokens.js";
import { useTheme } from "../theme/use-theme.js";
import { useCaret } from "../ui/use-caret.js";
import type { Cells } from "./cells.js";
import { columnOfCaret, drawRow, layoutRows, rowOfCaret, type VisualRow } from "./layout.js";
import { promptGutter } from "./prompt-controller.js";
import type { Stretch } from "./vim-motions.js";
import { selectionOf } from "./vim-state.js";

const shellPlaceholder = "A command for the shell, esc for a request";
const placeholder = "Type a request, / for commands, ? for keys";

/** The first row shown of a prompt that is longer than its box: moves only as far as the caret makes it. */
export const scrollTop = (previous: number, caretRow: number, count: number, height: number): number => {
  const lowest = Math.max(0, count - height);
  const wanted = Math.max(caretRow - height + 1, Math.min(previous, caretRow));
  return Math.max(0, Math.min(lowest, wanted));
};

const modeBorder = (mode: string, isShell: boolean): Token =>
  isShell ? "bashBorder" : mode === "plan" ? "planMode" : mode === "acceptEdits" ? "autoAccept" : "promptBorder";

const Rule = ({ width, note, border }: { width: number; note: string; border: Token }) => {
  const theme = useTheme();
  const label = note === "" ? "" : ` ${note} `;
  return (
    <Text wrap="truncate" {...theme.ink(border)}>
      {"─".repeat(Math.max(0, width - label.length - (label === "" ? 0 : 2)))}
      {label}
      {label === "" ? "" : "──"}
    </Text>
  );
};

/** A row of the text, what is selected of it inverted. */
const RowText = ({ cells, row, selected }: { cells: Cells; row: VisualRow; selected: Stretch | null }) => {
  const start = Math.max(row.start, Math.min(row.end, selected?.start ?? row.end));
  const end = Math.max(start, Math.min(row.end, selected?.end ?? start));
  if (start === end) return drawRow(cells, row);
  return (
    <>
      {drawRow(cells, { start: row.start, end: start })}
      <Text inverse>{drawRow(cells, { start, end })}</Text>
      {drawRow(cells, { start: end, end: row.end })}
    </>
  );
};

export const PromptInput = () => {
  const theme = useTheme();
  const { promptStore, prompt, clicks } = useServices();
  const editor = useStore(promptStore, (state) => state.editor);
  const hasStash = useStore(promptStore, (state) => state.stash !== null);
  const width = useAppState(columns);
  const height = Math.max(1, Math.floor(useAppState(rows) / 3));
  const isShell = useStore(promptStore, (state) => state.isShell);
  const border = modeBorder(
    useAppState((state) => state.mode),
    isShell,
  );
  const { cells, caret } = editor;
  const vim = useStore(promptStore, (state) => state.vim);
  const selected = vim && selectionOf(vim, editor);
  const layout = useMemo(() => layoutRows(cells, width - promptGutter), [cells, width]);
  const caretRow = rowOfCaret(layout, caret);
  const top = useRef(0);
  top.current = scrollTop(top.current, caretRow, layout.length, height);
  const shown = layout.slice(top.current, top.current + height);
  const column = promptGutter + columnOfCaret(cells, layout[caretRow] as VisualRow, caret);
  const node = useCaret(caretRow - top.current, column);
  useLayoutEffect(
    () =>
      node.current === null
        ? undefined
        : clicks.add(node.current, (place) => prompt.clickAt(place.row + top.current, place.column - promptGutter)),
    [clicks, prompt, node],
  );
  useKeys({
    context: "prompt",
    onKey: (press) => prompt.press(press),
    onPaste: (text) => {
      prompt.paste(text);
      return true;
    },
  });
  const below = layout.length - top.current - shown.length;
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <Rule width={width} note={top.current > 0 ? `↑ ${top.current} rows` : ""} border={border} />
      <PromptRows node={node}>
        <Text wrap="truncate">
          {shown.map((row, at) => (
            <Text key={row.start}>
              {at > 0 ? "\n" : ""}
              <Text {...theme.ink(isShell ? "bashBorder" : "accent")}>
                {at + top.current > 0 ? "  " : isShell ? "! " : "❯ "}
              </Text>
              <RowText cells={cells} row={row} selected={selected} />
            </Text>
          ))}
          {cells.length === 0 ? <Text {...theme.ink("dim")}>{isShell ? shellPlaceholder : placeholder}</Text> : null}
        </Text>
      </PromptRows>
      <Rule
        width={width}
        note={
          below > 0
            ? `↓ ${below} rows`
            : hasStash && cells.length === 0
              ? `${keyFor("chat:stash")}: text put aside`
              : ""
        }
        border={border}
      />
    </Box>
  );
};

const PromptRows = ({ node, children }: { node: React.RefObject<DOMElement | null>; children: React.ReactNode }) => (
  <Box ref={node} flexDirection="column" flexShrink={0} aria-role="textbox" aria-label="Prompt">
    {children}
  </Box>
);
