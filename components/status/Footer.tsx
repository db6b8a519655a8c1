// Footer: the mode and what the next key does on the left; model, effort, context and cost on the right.
import { Text } from "ink";
import { useStore } from "zustand";
import { textWidth } from "../../src/lib/text-width.js";
import {
  columns,
  contextText,
  costText,
  isContextNearlyFull,
  isRunning,
  modeText,
  runningTasks,
} from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { interruptHint } from "../keys/interrupt.js";
import { keyFor, keymapStore } from "../keys/keymap.js";
import { isPaste } from "../prompt/cells.js";
import { vimIndicator } from "../prompt/vim-state.js";
import type { Token } from "../theme/tokens.js";
import { useTheme } from "../theme/use-theme.js";
import { fitting } from "../ui/fitting.js";
import { lineSetting } from "./follow-status-line.js";

const modeTokens: Record<string, Token> = { plan: "planMode", acceptEdits: "autoAccept", bypassPermissions: "error" };

/** What the next press of a key does, in a few words. */
const useNextKey = (): string => {
  const { promptStore, prompt } = useServices();
  const hasText = useStore(promptStore, (state) => state.editor.cells.length > 0);
  const armed = useStore(promptStore, (state) => state.armed?.key ?? null);
  const isAtPaste = useStore(promptStore, ({ editor }) =>
    [editor.cells[editor.caret], editor.cells[editor.caret - 1]].some((cell) => isPaste(cell) && !cell.image),
  );
  const running = useAppState(isRunning);
  const isVimInsert = useStore(promptStore, ({ vim }) => vim?.mode === "insert");
  const hint = interruptHint({
    hasText,
    isRunning: running,
    hasPicker: false,
    hasQuestion: false,
    armed: armed === null ? null : prompt.armed(),
  });
  if (isVimInsert && hint.startsWith("esc stops")) return hint.replace("esc stops", "esc esc stops");
  return hint === "" && isAtPaste ? `${keyFor("chat:complete")} shows the pasted text` : hint;
};

const keysHint = (): string => (keyFor("chat:showKeys") === "" ? "" : `${keyFor("chat:showKeys")} keys`);

/** "default mode (shift+tab)"; without a key the name alone. */
const withKey = (name: string, key: string): string => (key === "" ? name : `${name} (${key})`);

export const Footer = () => {
  const theme = useTheme();
  const width = useAppState(columns);
  const mode = useAppState((state) => state.mode);
  const name = useAppState(modeText);
  const model = useAppState((state) => state.session?.modelLabel ?? "");
  const effort = useAppState((state) => state.session?.effort ?? "");
  const context = useAppState(contextText) ?? "";
  const isNearlyFull = useAppState(isContextNearlyFull);
  const cost = useAppState(costText);
  const tasks = useAppState(runningTasks);
  const next = useNextKey();
  useStore(keymapStore);
  const isVimHidden = useAppState((state) => lineSetting(state)?.hideVimModeIndicator === true);
  const vimMode = useStore(useServices().promptStore, ({ vim }) => (vim ? `${vimIndicator(vim)}  ` : ""));
  const indicator = isVimHidden ? "" : vimMode;
  const both = `${indicator}${next === "" ? withKey(name, keyFor("chat:cycleMode")) : `${name} · ${next}`}`;
  const left = textWidth(both) <= width - 4 ? both : `${indicator}${next === "" ? name : next}`;
  const room = width - textWidth(left) - 6;
  const working = tasks === 0 ? "" : `${tasks} in the background (/tasks)`;
  // Without the model's name its effort says nothing.
  const hasModel = textWidth([working, model].filter(Boolean).join(" · ")) <= room;
  const facts = [working, model, hasModel ? effort : "", context, cost ?? "", keysHint()].filter(Boolean);
  // Near the limit nothing is worth more room than that.
  const right = fitting(isNearlyFull ? [context, ...facts.filter((fact) => fact !== context)] : facts, room);
  const warning = isNearlyFull && right.startsWith(context) ? context : "";
  const gap = " ".repeat(Math.max(1, width - 4 - textWidth(left) - textWidth(right)));
  return (
    <Text wrap="truncate">
      {"  "}
      <Text {...theme.ink(next === "" ? (modeTokens[mode] ?? "dim") : "warning")}>{left}</Text>
      {gap}
      {warning !== "" && <Text {...theme.ink("warning")}>{warning}</Text>}
      <Text {...theme.ink("dim")}>{right.slice(warning.length)}</Text>
    </Text>
  );
};
