// What the window around us is told: title, progress, and a call when somebody waits and nobody looks.
import type { AppState } from "../../state/app-state.js";
import type { AppStore } from "../../state/store.js";
import {
  drawsProgress,
  type NotificationChannel,
  notificationBytes,
  type Progress,
  popTitle,
  progressBytes,
  pushTitle,
  titleBytes,
} from "./sequences.js";

export interface AttentionOptions {
  store: AppStore;
  env: Record<string, string | undefined>;
  /** Sends control bytes between frames. */
  control: (bytes: string) => void;
  onFocus: (listener: (isFocused: boolean) => void) => () => void;
}

/** How long a question waits before the person elsewhere is called, and how long an idle prompt. */
const questionMs = 6_000;
const idleMs = 60_000;

/** Program and what it works on: the session's name, else the first prompt's first line. */
export const windowTitle = ({ session, transcript }: AppState): string => {
  if (session?.title) return `${session.title} · claude`;
  const prompt = transcript.items.find(({ kind }) => kind === "user");
  const first = prompt?.kind === "user" ? prompt.text.trim().split("\n")[0] : "";
  return first ? `${first} · claude` : "claude";
};

const progressOf = ({ run, questions }: AppState): Progress => {
  if (questions.length > 0) return "waiting";
  return run.isRunning ? (run.retry === null ? "busy" : "error") : "none";
};

const questionText: Record<AppState["questions"][number]["kind"], string> = {
  permission: "asks for permission",
  plan: "has a plan for you",
  choice: "has a question",
  trust: "asks whether this folder is trusted",
  start: "waits for you",
  mcp_server: "A new MCP server",
  go_on: "asks whether to go on",
};

/** Follows the store. Returns the function that gives title and progress back. */
export const followAttention = ({ store, env, control, onFocus }: AttentionOptions): (() => void) => {
  const setsTitle = !env.CLAUDE_CODE_DISABLE_TERMINAL_TITLE;
  const isBarKnown = drawsProgress(env);
  let title = "";
  let progress: Progress = "none";
  let isFocused = true;
  let timer: NodeJS.Timeout | null = null;
  let waitsFor = "";

  const channelOf = (): NotificationChannel =>
    (store.getState().session?.interface?.preferredNotifChannel as NotificationChannel | undefined) ?? "auto";
  const call = (message: string): void => {
    if (!isFocused) control(notificationBytes(message, channelOf(), env));
  };
  /** One timer at most, and only while somebody is waited for. */
  const arm = (state: AppState, before: AppState): void => {
    const question = state.questions[0];
    const isIdleNow = before.run.isRunning && !state.run.isRunning && !question;
    const key = question ? `question ${question.id}` : state.run.isRunning ? "" : isIdleNow ? "idle" : waitsFor;
    if (key === waitsFor) return;
    waitsFor = key;
    if (timer) clearTimeout(timer);
    timer = null;
    if (key === "") return;
    const message = question ? `claude ${questionText[question.kind]}` : "claude is done and waits for you";
    timer = setTimeout(() => call(message), question ? questionMs : idleMs);
    timer.unref();
  };
  const follow = (state: AppState, before: AppState): void => {
    const nextTitle = windowTitle(state);
    if (setsTitle && nextTitle !== title) {
      // The first title is set over the one that was there, which comes back at the end.
      control((title === "" ? pushTitle : "") + titleBytes(nextTitle));
      title = nextTitle;
    }
    const isWanted = isBarKnown && state.session?.interface?.terminalProgressBarEnabled !== false;
    const nextProgress = isWanted ? progressOf(state) : "none";
    if (nextProgress !== progress) {
      control(progressBytes(nextProgress));
      progress = nextProgress;
    }
    arm(state, before);
  };
  const unsubscribe = store.subscribe((state, before) => {
    const isSame =
      state.session === before.session &&
      state.run === before.run &&
      state.questions === before.questions &&
      state.transcript.items === before.transcript.items &&
      (title !== "claude" || state.transcript.rev === before.transcript.rev);
    if (!isSame) follow(state, before);
  });
  const unfocus = onFocus((focused) => {
    isFocused = focused;
  });
  follow(store.getState(), store.getState());
  return () => {
    unsubscribe();
    unfocus();
    if (timer) clearTimeout(timer);
    if (progress !== "none") control(progressBytes("none"));
    if (title !== "") control(popTitle);
  };
};
