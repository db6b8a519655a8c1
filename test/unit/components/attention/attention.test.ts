// What the window is told: title, progress, and calls when nobody looks.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followAttention, windowTitle } from "../../../../components/attention/attention.js";
import {
  drawsProgress,
  notificationBytes,
  popTitle,
  progressBytes,
  pushTitle,
  titleBytes,
} from "../../../../components/attention/sequences.js";
import type { AppState } from "../../../../state/app-state.js";
import { createAppStore } from "../../../../state/store.js";
import { sessionFor } from "../support/fake-engine.js";
import { bashQuestion } from "../support/samples.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const setUp = (env: Record<string, string> = {}, state: Partial<AppState> = {}) => {
  const sent: string[] = [];
  const store = createAppStore({ session: sessionFor(), ...state });
  let focus: (isFocused: boolean) => void = () => undefined;
  const stop = followAttention({
    store,
    env,
    control: (bytes) => sent.push(bytes),
    onFocus: (listener) => {
      focus = listener;
      return () => undefined;
    },
  });
  const setRunning = (isRunning: boolean): void => store.setState(({ run }) => ({ run: { ...run, isRunning } }));
  const prompt = (text: string): void => {
    const { transcript } = store.getState();
    transcript.items.push({ id: text, v: 0, kind: "user", text });
    store.setState({ transcript: { ...transcript, rev: transcript.rev + 1 } });
  };
  return { sent, store, stop, setRunning, prompt, focus: (isFocused: boolean) => focus(isFocused) };
};

test("F176 the title is the first prompt, set once however long the run goes on, and given back at the end", () => {
  const { sent, stop, setRunning, prompt, store } = setUp();
  prompt("fix the date filter\nplease");
  setRunning(true);
  for (let delta = 0; delta < 50; delta++)
    store.setState(({ run, transcript }) => ({
      run: { ...run, outputTokens: delta },
      transcript: { ...transcript, rev: transcript.rev + 1 },
    }));
  prompt("and another");
  stop();
  expect(sent).toEqual([pushTitle + titleBytes("claude"), titleBytes("fix the date filter · claude"), popTitle]);
});

test("a session's name is its title; the title can be switched off", () => {
  expect(windowTitle(createAppStore({ session: { ...sessionFor(), title: "Release" } }).getState())).toBe(
    "Release · claude",
  );
  expect(setUp({ CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1" }).sent).toEqual([]);
});

test("nothing in a title or message ends the sequence it stands in", () => {
  expect(titleBytes("a\u0007b\u001b\\c\u009cd\ne")).toMatch(/^\u001b\]0;[^\u0000-\u001f\u007f-\u009f]*\u0007$/);
  for (const channel of ["iterm2", "kitty", "ghostty"] as const)
    expect(notificationBytes("a\u0007b\u001b]0;c\u0007", channel, {})).toMatch(
      /^\u001b\][^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\)$/,
    );
});

test("progress is told where the terminal draws it, and ended", () => {
  const { sent, stop, setRunning, store } = setUp({ WT_SESSION: "x", CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1" });
  setRunning(true);
  store.setState({ questions: [bashQuestion()] });
  store.setState({ questions: [] });
  stop();
  expect(sent).toEqual([progressBytes("busy"), progressBytes("waiting"), progressBytes("busy"), progressBytes("none")]);
  expect(drawsProgress({ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.2" })).toBe(false);
  expect(drawsProgress({ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.6.1" })).toBe(true);
  expect(drawsProgress({ TERM: "xterm-256color" })).toBe(false);
});

test("a question calls after six seconds, an idle prompt after a minute, and only when nobody looks", () => {
  const { sent, store, setRunning, focus } = setUp({ CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1" });
  setRunning(true);
  store.setState({ questions: [bashQuestion()] });
  vi.advanceTimersByTime(10_000);
  expect(sent).toEqual([]);
  focus(false);
  store.setState({ questions: [{ ...bashQuestion(), id: "q2" }] });
  vi.advanceTimersByTime(5_999);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(["\u0007"]);
  store.setState({ questions: [] });
  setRunning(false);
  vi.advanceTimersByTime(59_999);
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(sent).toHaveLength(2);
  vi.advanceTimersByTime(600_000);
  expect(sent).toHaveLength(2);
});

test("each channel has its own form; disabled is silent", () => {
  const channels = [
    "terminal_bell",
    "iterm2",
    "iterm2_with_bell",
    "kitty",
    "ghostty",
    "notifications_disabled",
  ] as const;
  expect(channels.map((channel) => notificationBytes("hi", channel, {}))).toEqual([
    "\u0007",
    "\u001b]9;hi\u0007",
    "\u001b]9;hi\u0007\u0007",
    "\u001b]99;;hi\u001b\\",
    "\u001b]777;notify;claude;hi\u001b\\",
    "",
  ]);
  expect(notificationBytes("hi", "auto", { TERM: "xterm-kitty" })).toBe("\u001b]99;;hi\u001b\\");
});
