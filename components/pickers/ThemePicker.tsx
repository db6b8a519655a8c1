// ThemePicker: every theme with a sample; the whole screen shows the focused one. Enter keeps it, Esc goes back.
import { Box, Text } from "ink";
import { useEffect } from "react";
import { sanitise } from "../../src/lib/sanitise.js";
import type { Display } from "../../src/protocol/display.js";
import { useServices } from "../app-context.js";
import { displayRows } from "../displays/index.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

const sample: Display = {
  kind: "diff",
  path: "greet.ts",
  change: "update",
  added: 1,
  removed: 1,
  hunks: [
    {
      oldStart: 1,
      oldLines: 2,
      newStart: 1,
      newLines: 2,
      lines: [" // says hello", '-const greeting = "Hello";', '+const greeting = "Hello, you";'],
    },
  ],
};

const Sample = ({ width }: { width: number }) => {
  const theme = useTheme();
  const states = [
    `${theme.style("accent", "●")} running`,
    `${theme.style("success", "●")} done`,
    `${theme.style("error", "✗")} failed`,
    `${theme.style("warning", "○")} waits for you`,
    theme.style("dim", "quiet"),
  ];
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text wrap="truncate">{displayRows(sample, { width, theme }).join("\n")}</Text>
      <Text wrap="truncate">{states.join("  ")}</Text>
    </Box>
  );
};

/** Rows of the sample with the blank above it. */
const sampleRows = 5;

export const ThemePicker = () => {
  const { actions, look } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const choices = look.choices();
  const local = useLocal(() => ({
    focus: Math.max(
      0,
      choices.findIndex(({ value }) => value === look.setting()),
    ),
  }));
  const hasSample = bodyRows(sampleRows) >= 4;
  const height = hasSample ? bodyRows(sampleRows) : bodyRows(0);
  // However the picker goes away, a theme that was only tried goes with it.
  useEffect(() => () => look.preview(null), [look]);
  const focusOn = (focus: number): void => {
    local.set({ focus });
    look.preview(choices[focus]?.value ?? null);
  };
  const toggleCode = (): void => {
    look.setHighlighting(!look.isHighlighting);
    actions.saveSettings({ syntaxHighlightingDisabled: look.isHighlighting ? null : true });
  };
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, choices.length, height);
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept") {
        actions.setPicker(null);
        const chosen = choices[focus];
        if (chosen) actions.changeScreen({ theme: chosen.value });
      } else if (press.id === "ctrl+t") toggleCode();
      else if (next !== null) focusOn(next);
      return true;
    },
    onPaste: () => true,
  });
  const rows = choices.map(({ value, label, detail }) => ({
    id: value,
    label: sanitise(label),
    detail: sanitise(detail),
    isCurrent: value === look.setting(),
  }));
  const code = look.isHighlighting ? "ctrl+t code without colours" : "ctrl+t code with colours";
  return (
    <Panel title="Colours" footer={`${code} · enter keeps it · esc goes back`} width={width} border="promptBorder">
      <ListBox rows={rows} focus={local.value.focus} width={inner} height={height} empty="There are no themes." />
      {hasSample && <Sample width={inner} />}
    </Panel>
  );
};
