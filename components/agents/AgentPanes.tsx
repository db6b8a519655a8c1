// AgentPanes: the agents at work, above the status line. ← → (in an empty prompt) choose one; enter opens it, x stops it.
import { useAnimation } from "ink";
import { useCallback, useEffect } from "react";
import { useStore } from "zustand";
import type { AgentState, AppState } from "../../state/app-state.js";
import { columns, headQuestion, rows } from "../../state/selectors.js";
import { useAppState, useServices } from "../app-context.js";
import type { KeyPress } from "../keys/key-press.js";
import { agentAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { useTheme } from "../theme/use-theme.js";
import { Inlay } from "../ui/Inlay.js";
import { useLocal } from "../ui/use-local.js";
import { agentPage } from "./AgentPage.js";
import { agentTree } from "./agent-tree.js";
import { type PaneOptions, paneHeight, paneRows } from "./pane-rows.js";

/** Share of the screen's rows that agents may take. */
const share = 0.42;
/** Rows that stay to the transcript and to the prompt with its lines. */
const otherRows = 9;
/** The most beside a question, which needs the room. */
const sharedRows = 2;
const tickMs = 1_000;

/** How long a failed agent stays. */
const failedMs = 30_000;

const isLive = ({ status }: AgentState): boolean => status !== "failed";

const agentsOf = ({ agents }: AppState): readonly AgentState[] => agents;
const agentCount = ({ agents }: AppState): number => agents.length;
const failedIds = ({ agents }: AppState): string =>
  agents
    .filter((agent) => !isLive(agent))
    .map(({ id }) => id)
    .join(" ");
const hasLive = ({ agents }: AppState): boolean => agents.some(isLive);

/** The keys of the panes: free only while nothing is typed. Returns the id of the focused agent. */
const useFocus = (height: number): string | undefined => {
  const { actions, now, promptStore, store } = useServices();
  const hasText = useStore(promptStore, (state) => state.editor.cells.length > 0);
  const local = useLocal(() => ({ focused: store.getState().openedAgent ?? undefined }));
  const { get, set } = local;
  const move = (step: number): void => {
    const agents = agentTree(store.getState().agents, height).map(({ agent }) => agent);
    const at = agents.findIndex(({ id }) => id === get().focused);
    const next = at < 0 ? (step > 0 ? 0 : agents.length - 1) : at + step;
    set({ focused: agents[(next + agents.length) % agents.length]?.id });
  };
  const onKey = (press: KeyPress): boolean => {
    if (promptStore.getState().editor.cells.length > 0) return false;
    const action = agentAction(press.id);
    if (action === "nextAgent" || action === "previousAgent") {
      move(action === "nextAgent" ? 1 : -1);
      return true;
    }
    const agent = store.getState().agents.find(({ id }) => id === get().focused);
    if (!agent) return false;
    if (action === "openAgent") actions.openAgent(agent.id, agentPage(agent, now()));
    else if (action === "stopAgent") {
      if (isLive(agent)) actions.stopAgent(agent.id);
      else actions.dismissAgent(agent.id);
    } else {
      set({ focused: undefined });
      return action === "leaveAgents";
    }
    return true;
  };
  useKeys({ context: "panes", onKey });
  useEffect(() => actions.openAgent(null), [actions]); // back from its page: the choice was taken over
  return hasText ? undefined : local.value.focused;
};

/** Takes failed agents off when their time has passed. */
const useFailedLeave = (): void => {
  const { actions, now, store } = useServices();
  const failed = useAppState(failedIds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `failed` says that there are others; the agents change with each piece.
  useEffect(() => {
    const timers = store
      .getState()
      .agents.filter((agent) => !isLive(agent))
      .map(({ id, endedAt = 0 }) =>
        setTimeout(() => actions.dismissAgent(id), Math.max(0, endedAt + failedMs - now())).unref(),
      );
    return () => timers.forEach(clearTimeout);
  }, [failed, store, actions, now]);
};

/** The agents' rows. What streams into them costs no layout: React only knows how many rows there are. */
const Rows = ({ height, focused, asking }: { height: number } & Pick<PaneOptions, "focused" | "asking">) => {
  const theme = useTheme();
  const { now, store } = useServices();
  const width = useAppState(columns);
  const count = useAppState(({ agents }) => paneHeight(agents, { width, height, asking }));
  const make = useCallback(
    () => paneRows(store.getState().agents, { width, height, theme, now: now(), focused, asking }),
    [store, width, height, theme, now, focused, asking],
  );
  return <Inlay count={count} make={make} of={agentsOf} />;
};

const Panes = ({ height }: { height: number }) => {
  useFailedLeave();
  useAnimation({ interval: tickMs, isActive: useAppState(hasLive) });
  return <Rows height={height} focused={useFocus(height)} />;
};

/** Nothing while no agent works. */
export const AgentPanes = () => {
  const count = useAppState(agentCount);
  const screenRows = useAppState(rows);
  if (count === 0) return null;
  return <Panes height={Math.min(Math.floor(screenRows * share), screenRows - otherRows)} />;
};

const askingAgent = (state: AppState): string | undefined => {
  const question = headQuestion(state);
  return question?.kind === "permission" ? question.agent?.id : undefined;
};

/** Beside a question: a line each, without keys; first the agent that asks. */
export const AgentLines = () => {
  const asking = useAppState(askingAgent);
  return useAppState(agentCount) === 0 ? null : <Rows height={sharedRows} asking={asking} />;
};
