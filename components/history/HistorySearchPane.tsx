// The search of earlier prompts, in the place of the prompt: a dialog on the full screen, a line under the found prompt
// where the screen prints into the scrollback.
import { Box, Text } from "ink";
import { useStore } from "zustand";
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { EarlierPrompt } from "../../src/protocol/requests.js";
import { rows as rowsOf } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { keyFor } from "../keys/keymap.js";
import { usePickerSize } from "../pickers/picker-frame.js";
import { ageText } from "../pickers/session-rows.js";
import { useTheme } from "../theme/use-theme.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { TextInput } from "../ui/TextInput.js";
import type { HistorySearchState } from "./history-search.js";
import type { SearchScope } from "./matching.js";

/** Rows of the preview at most, the blank row above included. */
const previewRows = 6;

const scopeText: Record<SearchScope, string> = {
  session: "this session",
  project: "this project",
  all: "all projects",
};

const firstLine = (text: string): string => {
  const lines = text.trimEnd().split("\n");
  const more = lines.length - 1;
  return `${sanitise(lines[0] ?? "").replaceAll("\t", " ")}${more > 0 ? `  +${more} ${more === 1 ? "line" : "lines"}` : ""}`;
};

/** The whole of a prompt that is longer than its row, as far as there is room. */
const previewOf = (prompt: EarlierPrompt | undefined, width: number, height: number): string[] => {
  if (!prompt?.text.trimEnd().includes("\n")) return [];
  const lines = sanitise(prompt.text.trimEnd(), { tabSize: 2 })
    .split("\n")
    .slice(0, height + 1)
    .flatMap((line) => wrapText(line, width));
  return lines.length <= height ? lines : [...lines.slice(0, height - 1), "…"];
};

const countText = ({ results, isComplete, scope, seen }: HistorySearchState): string => {
  const count = results.length === 1 ? "1 prompt" : `${results.length} prompts`;
  return `${count}${isComplete ? "" : ` · ${seen.toLocaleString("en-US")} searched …`} · ${scopeText[scope]}`;
};

const SearchDialog = () => {
  const theme = useTheme();
  const { history, now } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const state = useStore(history.store);
  const { field, results, scope, isComplete } = state;
  const focus = Math.max(0, Math.min(state.focus, results.length - 1));
  const preview = previewOf(results[focus], inner - 4, Math.min(previewRows - 1, Math.floor(bodyRows(1) / 2)));
  const height = bodyRows(1 + (preview.length > 0 ? preview.length + 1 : 0));
  const rows = results.map((prompt, at) => ({
    id: `${at}`,
    label: firstLine(prompt.text),
    detail: prompt.at > 0 ? ageText(now() - prompt.at) : "",
  }));
  const footer = `enter sends · tab takes it · ${keyFor("historySearch:cycleScope")} ${scope === "all" ? "this session" : scope === "session" ? "this project" : "all projects"} · ctrl+c closes`;
  return (
    <Panel title="Earlier prompts" note={countText(state)} footer={footer} width={width} border="promptBorder">
      <Box>
        <Text {...theme.ink("accent")}>{"⌕ "}</Text>
        <TextInput editor={field} width={inner - 2} isActive placeholder="search" />
      </Box>
      <ListBox
        rows={rows}
        focus={focus}
        width={inner}
        height={height}
        empty={isComplete ? `Nothing in ${scopeText[scope]} matches.` : "Searching …"}
      />
      {preview.length > 0 && (
        <Box flexDirection="column" marginTop={1} flexShrink={0}>
          <Text wrap="truncate" {...theme.ink("dim")}>
            {preview.map((line) => `    ${line}`).join("\n")}
          </Text>
        </Box>
      )}
    </Panel>
  );
};

const SearchLine = () => {
  const theme = useTheme();
  const { history } = useServices();
  const { width } = usePickerSize();
  const height = Math.max(1, Math.floor(useAppState(rowsOf) / 3));
  const { field, results, focus, isComplete } = useStore(history.store);
  const text = results[Math.min(focus, results.length - 1)]?.text ?? "";
  const lines = sanitise(text.trimEnd(), { tabSize: 2 })
    .split("\n")
    .slice(0, height)
    .flatMap((line) => wrapText(line, width - 3))
    .slice(0, height);
  const rule = "─".repeat(width);
  const label = isComplete && results.length === 0 ? "no prompt matches: " : "search prompts: ";
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <Text {...theme.ink("promptBorder")}>{rule}</Text>
      <Text wrap="truncate">
        <Text {...theme.ink("accent")}>{"❯ "}</Text>
        {lines.join("\n  ")}
      </Text>
      <Text {...theme.ink("promptBorder")}>{rule}</Text>
      <Box>
        <Text {...theme.ink("dim")}>{`  ${label}`}</Text>
        <TextInput editor={field} width={Math.max(4, width - label.length - 2)} isActive />
      </Box>
    </Box>
  );
};

export const HistorySearchPane = () => {
  const layout = useAppState((state) => state.screen.layout);
  return layout === "inline" ? <SearchLine /> : <SearchDialog />;
};
