// Selectors: what components read of the state. They return primitives or references that stay the same.
import type { Question } from "../src/protocol/questions.js";
import type { AppState } from "./app-state.js";

export const headQuestion = (state: AppState): Question | undefined => state.questions[0];
export const questionCount = (state: AppState): number => state.questions.length;
export const isRunning = (state: AppState): boolean => state.run.isRunning;
export const columns = (state: AppState): number => state.size.columns;
export const rows = (state: AppState): number => state.size.rows;

/** Commands that run in the background. */
export const runningTasks = ({ background }: AppState): number =>
  background.filter(({ status }) => status === "running").length;

const taskNames: Record<AppState["background"][number]["kind"], string> = {
  shell: "shell",
  agent: "agent",
  monitor: "watch",
};

/** What still runs in the background: "2 shells, 1 agent"; "" when nothing does. */
export const stillRunning = ({ background }: AppState): string =>
  (["shell", "agent", "monitor"] as const)
    .map((kind) => [kind, background.filter((task) => task.kind === kind && task.status === "running").length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${taskNames[kind]}${count === 1 ? "" : kind === "monitor" ? "es" : "s"}`)
    .join(", ");

/** Items looked at for a running call: those of one answer. */
const callWindow = 60;

/** Something runs in the foreground that can go on in the background. */
export const canMove = ({ run, transcript }: AppState): boolean =>
  run.isRunning &&
  transcript.items
    .slice(-callWindow)
    .some((item) => item.kind === "tool" && item.state === "running" && item.canMove === true);

/** Share of the model's window that is used, in whole percent; null when unknown. */
export const contextPercent = ({ usage }: AppState): number | null =>
  usage.contextWindow > 0 ? Math.min(100, Math.round((usage.contextTokens / usage.contextWindow) * 100)) : null;

/** From this share of the size at which the conversation is compacted (or of the window) the footer warns. */
const nearShare = 0.85;

/** What the footer says of the context, and whether it is nearly full; null when unknown. */
export const contextText = (state: AppState): string | null => {
  const percent = contextPercent(state);
  if (percent === null) return null;
  if (!isContextNearlyFull(state)) return `ctx ${percent} %`;
  const { compactAt } = state.session ?? {};
  if (compactAt === undefined) return `ctx ${percent} %, nearly full: /compact`;
  const left = Math.max(0, compactAt - state.usage.contextTokens);
  return `ctx ${percent} %, compacts in ${Math.round(left / 1_000)}k`;
};

export const isContextNearlyFull = ({ usage, session }: AppState): boolean =>
  usage.contextWindow > 0 && usage.contextTokens >= nearShare * (session?.compactAt ?? usage.contextWindow);

/** Cost of the session as it is shown; null when a price is unknown or nothing was spent yet. */
export const costText = ({ usage }: AppState): string | null =>
  usage.costUsd === null || usage.costUsd === 0 ? null : `$${usage.costUsd.toFixed(2)}`;

/** The modes' names on the footer; null for the one that needs no mention. */
export const modeText = ({ mode }: AppState): string => modeNames[mode];

const modeNames: Record<AppState["mode"], string> = {
  default: "asks before changes",
  acceptEdits: "accept edits on",
  plan: "plan mode on",
  auto: "auto mode on",
  dontAsk: "don't ask on",
  bypassPermissions: "bypass permissions on",
};
