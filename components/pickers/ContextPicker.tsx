// ContextPicker: what fills the context window, as a grid and a list; things in the list can be looked at and dropped.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { ContextItem, Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import type { Theme } from "../theme/themes.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { useLocal } from "../ui/use-local.js";
import { cellsOf, glyphs, shortTokens } from "./context-grid.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type ContextData = Extract<Picker, { kind: "context" }>;

const gridColumns = 20;
const gridRows = 10;
const leastListRows = 4;
const widthForGrid = 66;
const previewRows = 4;

const legendRow = (theme: Theme, { id, label, tokens }: ContextData["categories"][number], window: number): string => {
  const { glyph, token } = glyphs[id];
  const share = `${((tokens * 100) / window).toFixed(1)} %`;
  return `${theme.style(token, glyph)} ${label.padEnd(19)}${shortTokens(tokens).padStart(6)}${theme.style("dim", share.padStart(7))}`;
};

const drawn = (theme: Theme, cells: readonly (keyof typeof glyphs)[], gap: string): string =>
  cells.map((id) => theme.style(glyphs[id].token, glyphs[id].glyph)).join(gap);

/** Ten rows of twenty cells, the legend beside them. */
const gridLines = (theme: Theme, { categories, window }: ContextData): string[] => {
  const cells = cellsOf(categories, gridColumns * gridRows);
  return Array.from({ length: gridRows }, (_, row) => {
    const line = drawn(theme, cells.slice(row * gridColumns, (row + 1) * gridColumns), " ");
    const category = categories[row];
    return category ? `${line}   ${legendRow(theme, category, window)}` : line;
  });
};

const summary = ({ usedTokens, window, compactAt }: ContextData): string =>
  [
    `${shortTokens(usedTokens)} of ${shortTokens(window)}`,
    compactAt === null ? "never compacted by itself" : `compacts at ${shortTokens(compactAt)}`,
  ].join(" · ");

const rowOf = (item: ContextItem, at: number) => ({
  id: `${at}:${item.ids[0] ?? ""}`,
  label: `${item.kind === "fold" ? "" : `${shortTokens(item.tokens).padStart(5)}  `}${sanitise(item.label).replace(/\n/g, " ")}`,
  detail: item.note,
});

const footerFor = (item: ContextItem | undefined): string => {
  if (!item) return "esc closes";
  return `${item.kind === "fold" ? "d unfolds it" : "d drops it"} · enter shows it · esc closes`;
};

const Preview = ({ item, width }: { item: ContextItem; width: number }) => {
  const theme = useTheme();
  const text = item.preview === "" ? "(nothing to show)" : sanitise(item.preview);
  return (
    <Box marginTop={1}>
      <Text wrap="truncate" {...theme.ink("dim")}>
        {wrapText(text, width)
          .slice(0, previewRows - 1)
          .join("\n")}
      </Text>
    </Box>
  );
};

export const ContextPicker = ({ data }: { data: ContextData }) => {
  const theme = useTheme();
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ focus: 0, hasPreview: false }));
  const { items, usedTokens, window } = data;
  const focus = Math.min(local.value.focus, Math.max(0, items.length - 1));
  const focused = items[focus];
  const extra = local.value.hasPreview && focused ? previewRows : 0;
  const hasGrid = inner >= widthForGrid && bodyRows(gridRows + 1 + extra) >= leastListRows;
  const head = hasGrid ? gridLines(theme, data) : [drawn(theme, cellsOf(data.categories, inner), "")];
  const height = bodyRows(head.length + 1 + extra);
  useKeys({
    context: "picker",
    onKey: (press) => {
      const action = pickerAction(press.id);
      const next = walkList(press, focus, items.length, height);
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept") local.set({ hasPreview: !local.get().hasPreview });
      else if (next !== null) local.set({ focus: next });
      else if (press.text === "d" && focused) actions.dropContext(focused.ids);
      return true;
    },
    onPaste: () => true,
  });
  return (
    <Panel
      title={`Context ${Math.round((usedTokens * 100) / window)} %`}
      note={summary(data)}
      footer={footerFor(focused)}
      width={width}
      border="promptBorder"
    >
      <Text wrap="truncate">{head.join("\n")}</Text>
      <Text> </Text>
      <ListBox
        rows={items.map(rowOf)}
        focus={focus}
        width={inner}
        height={height}
        empty="Nothing that could be dropped."
      />
      {extra > 0 && focused ? <Preview item={focused} width={inner} /> : null}
    </Panel>
  );
};
