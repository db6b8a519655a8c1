// Spinner: what is being done, for how long, and how to stop it. One cell moves; it renders alone.
import { Text, useAnimation } from "ink";
import { useStore } from "zustand";
import { sanitise } from "../../src/lib/sanitise.js";
import { isRunning } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";
import { durationText, tokenText } from "./format.js";

const frames = ["✢", "✳", "✶", "✻", "✶", "✳"] as const;
const frameMs = 120;
/** Without motion only the seconds count on. */
const stillMs = 1_000;

export const Spinner = () => {
  const theme = useTheme();
  const { store, promptStore, now, reducedMotion } = useServices();
  const running = useAppState(isRunning);
  const verb = useAppState((state) => state.run.verb);
  const isWaiting = useAppState((state) => state.questions.length > 0);
  const status = useAppState((state) => state.run.status);
  const hook = useAppState((state) => state.run.hooks?.[0]?.text);
  const hasText = useStore(promptStore, (state) => state.editor.cells.length > 0);
  const { frame } = useAnimation({ interval: reducedMotion ? stillMs : frameMs, isActive: running && !isWaiting });
  if (!running) return null;
  // Read at the tick: a delta must not render this line.
  const { startedAt, inputTokens, outputTokens } = store.getState().run;
  const glyph = reducedMotion ? "✳" : frames[frame % frames.length]!;
  const what = hook ?? (status === "compacting" ? "Summarising the conversation" : verb);
  const tokens =
    inputTokens + outputTokens >= 1 ? ` · ↑ ${tokenText(inputTokens)} ↓ ${tokenText(outputTokens)} tokens` : "";
  return (
    <Text wrap="truncate">
      <Text {...theme.ink(isWaiting ? "warning" : "accent")}>{isWaiting ? "○" : glyph}</Text>
      <Text {...theme.ink("accent")}>{` ${isWaiting ? "Waiting for you" : `${sanitise(what)}…`}`}</Text>
      <Text {...theme.ink("dim")}>
        {` ${durationText(now() - startedAt)}${tokens}${isWaiting ? "" : ` · esc to stop${hasText ? " · enter queues" : ""}`}`}
      </Text>
    </Text>
  );
};
