// Global keys: what every key does that no prompt, dialog or picker has taken.
import type { AppServices } from "../app-context.js";
import { type InterruptFacts, type InterruptStep, onCtrlC, onCtrlD } from "./interrupt.js";
import type { KeyPress } from "./key-press.js";
import { type GlobalAction, globalAction } from "./keymap.js";

/** The transcript's view, as keys move it. */
export interface ScrollPort {
  /** Rows; negative is towards older output. */
  lines(count: number): void;
  /** Half a window. */
  page(direction: 1 | -1): void;
  top(): void;
  bottom(): void;
}

/** What keys do to the terminal itself. */
export interface TerminalPort {
  redraw(): void;
  /** Ctrl+Z: back to the shell. */
  stop(): void;
}

const clearedMs = 3_000;
const lineStep = 3;

/** Opens the viewer where the reader is. */
const openViewer = ({ viewer, view }: AppServices): void => viewer.open(view.firstShown());

/** Opens the search of earlier prompts where the prompt is. */
const searchHistory = ({ history, store }: AppServices): void => {
  const { questions, picker } = store.getState();
  if (questions.length === 0 && !picker) history.open();
};

const factsOf = ({ store, prompt }: AppServices): InterruptFacts => {
  const { run, picker, questions } = store.getState();
  return {
    hasText: prompt.hasText(),
    isRunning: run.isRunning,
    hasPicker: picker !== null,
    hasQuestion: questions.length > 0,
    armed: prompt.armed(),
  };
};

const takeStep = (services: AppServices, step: InterruptStep, key: "ctrl+c" | "ctrl+d"): void => {
  const { actions, prompt } = services;
  if (step === "closePicker") actions.setPicker(null);
  else if (step === "clearText") {
    prompt.clear();
    actions.hint("text cleared · ↑ brings it back", clearedMs);
  } else if (step === "interrupt") actions.interrupt();
  else if (step === "exit") actions.exit(0);
  else if (step === "arm") prompt.arm(key); // the footer, of a dialog too, names the next press
};

const leave = (services: AppServices): void => {
  const { prompt, store } = services;
  const { questions, picker } = store.getState();
  if (prompt.hasText() && questions.length === 0 && !picker) prompt.press({ id: "delete", text: "" });
  else takeStep(services, onCtrlD(factsOf(services)), "ctrl+d");
};

/** Makes the handler of the global context; false for keys without a meaning. */
export const createGlobalKeys = (services: AppServices, scroll: ScrollPort, terminal: TerminalPort) => {
  const table: Record<GlobalAction, () => void> = {
    interrupt: () => {
      if (services.history.store.getState().isOpen) services.history.close();
      else if (services.viewer.store.getState().isOpen) services.viewer.close();
      else takeStep(services, onCtrlC(factsOf(services)), "ctrl+c");
    },
    leave: () => leave(services),
    cycleMode: () => services.actions.cycleMode(),
    searchHistory: () => searchHistory(services),
    openViewer: () => openViewer(services),
    toggleExpanded: () => services.actions.toggleExpanded(),
    toggleTodos: () => services.actions.toggleTodos(),
    redraw: () => terminal.redraw(),
    clearScreen: () => terminal.redraw(),
    suspend: () => terminal.stop(),
    scrollPageUp: () => scroll.page(-1),
    scrollPageDown: () => scroll.page(1),
    scrollUp: () => scroll.lines(-lineStep),
    scrollDown: () => scroll.lines(lineStep),
    scrollTop: () => scroll.top(),
    scrollBottom: () => scroll.bottom(),
  };
  return (press: KeyPress): boolean => {
    const action = globalAction(press.id);
    if (action === undefined) return false;
    table[action]();
    return true;
  };
};
