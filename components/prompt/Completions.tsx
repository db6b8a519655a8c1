// Completions: the slash command menu above the prompt, so that the prompt does not move.
import { Box, Text } from "ink";
import { useStore } from "zustand";
import { isAgentEntry } from "../../src/lib/agent-mention.js";
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, padToWidth, textWidth } from "../../src/lib/text-width.js";
import type { CommandRow } from "../../src/protocol/pickers.js";
import { columns, rows } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";
import type { Mention } from "./mention.js";
import { openMenu, openPaths } from "./prompt-store.js";

const noCommands: readonly CommandRow[] = [];

/** Rows of the menu: a third of the screen, 8 at most. */
const menuRows = (screenRows: number): number => Math.max(2, Math.min(8, Math.floor(screenRows / 3)));

const Menu = ({ commands, focus }: { commands: readonly CommandRow[]; focus: number }) => {
  const theme = useTheme();
  const width = useAppState(columns);
  const height = menuRows(useAppState(rows));
  const top = Math.max(0, Math.min(focus - height + 1, commands.length - height));
  const shown = commands.slice(top, top + height);
  const nameWidth = Math.min(28, Math.max(...shown.map(({ name }) => textWidth(name) + 1)) + 2);
  const hidden = commands.length - shown.length;
  return (
    <Box flexDirection="column" width={width} flexShrink={0} aria-role="listbox">
      {shown.map((command, at) => {
        const isFocused = top + at === focus;
        const name = padToWidth(`/${sanitise(command.name)}`, nameWidth);
        const hint = command.argumentHint ? ` ${sanitise(command.argumentHint)}` : "";
        const text = cutToWidth(`${sanitise(command.description)}${hint}`, Math.max(0, width - nameWidth - 3));
        return (
          <Text key={command.name} wrap="truncate" {...theme.ink(isFocused ? "accent" : "text")}>
            {`${isFocused ? "❯" : " "} ${name} `}
            <Text {...theme.ink("dim")}>{text}</Text>
          </Text>
        );
      })}
      {hidden > 0 && <Text {...theme.ink("dim")}>{`  ${hidden} more · ↑↓ · tab completes`}</Text>}
    </Box>
  );
};

/** Agents are marked with a star, files with a plus; in the shell mode everything is a path. */
const entryText = (entry: string, of: Mention["of"]): string => {
  const text = sanitise(entry).replaceAll("\n", " ");
  return of === "shell" ? text : `${isAgentEntry(entry) ? "*" : "+"} ${text}`;
};

const PathMenu = ({ paths, focus, of }: { paths: readonly string[]; focus: number; of: Mention["of"] }) => {
  const theme = useTheme();
  const width = useAppState(columns);
  const height = menuRows(useAppState(rows));
  const top = Math.max(0, Math.min(focus - height + 1, paths.length - height));
  const hidden = paths.length - Math.min(height, paths.length);
  return (
    <Box flexDirection="column" width={width} flexShrink={0} aria-role="listbox">
      {paths.slice(top, top + height).map((path, at) => {
        const isFocused = top + at === focus;
        const text = entryText(path, of);
        return (
          <Text key={path} wrap="truncate-start" {...theme.ink(isFocused ? "accent" : "text")}>
            {`${isFocused ? "❯" : " "} ${text}`}
          </Text>
        );
      })}
      {hidden > 0 && <Text {...theme.ink("dim")}>{`  ${hidden} more · ↑↓ · tab takes it`}</Text>}
    </Box>
  );
};

/** The menu of what is being typed: paths, or commands. Renders only when the word or the choice changes. */
export const Completions = () => {
  const { promptStore } = useServices();
  const completions = useAppState((state) => state.completions);
  const mention = useStore(promptStore, (state) => state.mention);
  const isMenuDismissed = useStore(promptStore, (state) => state.isMenuDismissed);
  const index = useStore(promptStore, (state) => state.menuIndex);
  const open = openPaths({ mention, isMenuDismissed }, completions);
  if (!open) return <CommandCompletions />;
  return <PathMenu paths={open.paths} of={open.mention.of} focus={Math.min(index, open.paths.length - 1)} />;
};

const CommandCompletions = () => {
  const { promptStore, store } = useServices();
  const commands = useAppState((state) => state.session?.commands ?? noCommands);
  const word = useStore(
    promptStore,
    (state) => openMenu(state, store.getState().session?.commands ?? [])?.word ?? null,
  );
  const index = useStore(promptStore, (state) => state.menuIndex);
  if (word === null) return null;
  const open = openMenu(promptStore.getState(), commands);
  return open ? <Menu commands={open.rows} focus={Math.min(index, open.rows.length - 1)} /> : null;
};
