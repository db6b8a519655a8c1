// The accessible screen: lines that are only ever appended, for screen readers and terminals that can do nothing else.
// The terminal stays in its own line mode, so that typing, echo and input methods are its own; Control C interrupts.
import { createInterface } from "node:readline";
import { shortReason } from "../../src/lib/short-reason.js";
import { stripStyles } from "../../src/lib/text-width.js";
import { type Actions, createActions } from "../../state/actions.js";
import type { AppState } from "../../state/app-state.js";
import { firstTranscript } from "../../state/slices/notices.js";
import { type AppStore, createAppStore } from "../../state/store.js";
import type { MountedApp, MountOptions } from "../mount-options.js";
import { type Asking, asking } from "./asking.js";
import { type PageLines, pageLines } from "./pages.js";
import { createReader } from "./reader.js";
import { durationWords, oneLine } from "./wording.js";

export interface LinearOptions extends Pick<MountOptions, "engine" | "version" | "cwd" | "initialPrompt" | "settings"> {
  input: NodeJS.ReadableStream;
  /** Writes lines to the terminal. */
  write: (text: string) => void;
  now?: () => number;
  /** Where Control C comes from. */
  signals: { on(event: "SIGINT", listener: () => void): unknown; off(event: "SIGINT", listener: () => void): unknown };
}

/** At most one line in this time says that work goes on. */
const heartbeatMs = 30_000;
/** A line that came this soon after a question was typed before it could be heard (F033). */
const defaultQuietMs = 400;
const leaveMs = 2_000;
/** Quiet time before the mark is printed: a prompt that was just sent is about to start a run. */
const readyMs = 150;

class Linear {
  readonly store: AppStore;
  private readonly actions: Actions;
  private readonly now: () => number;
  private readonly reader = createReader((text) => this.own.delete(text));
  /** Prompts typed here: their echo is on the screen already. */
  private readonly own = new Set<string>();
  private asked: { id: string; at: number; asking: Asking } | null = null;
  private page: PageLines["choose"] | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private interruptedAt = Number.NEGATIVE_INFINITY;
  private isAtPrompt = false;
  private readyTimer: NodeJS.Timeout | null = null;

  constructor(private readonly options: LinearOptions) {
    this.now = options.now ?? Date.now;
    this.store = createAppStore({
      transcript: firstTranscript({ version: options.version, cwd: options.cwd }),
    });
    const { engine } = options;
    this.actions = createActions({ engine, store: this.store, now: this.now, isBlocked: () => false });
  }

  /** Runs until the session is over; resolves with the exit code. */
  run(): Promise<number> {
    const { input, signals, initialPrompt } = this.options;
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const onInterrupt = (): void => this.interrupt();
    signals.on("SIGINT", onInterrupt);
    lines.on("line", (line) => this.take(line));
    lines.on("close", () => this.actions.exit(0));
    const done = new Promise<number>((resolve) => {
      const unsubscribe = this.store.subscribe((state, before) => {
        this.follow(state, before);
        if (!state.exit) return;
        unsubscribe();
        this.stopHeartbeat();
        if (this.readyTimer) clearTimeout(this.readyTimer);
        signals.off("SIGINT", onInterrupt);
        lines.close();
        if (state.exit.message) this.say([state.exit.message]);
        resolve(state.exit.code);
      });
    });
    void this.actions.open(initialPrompt).then(() => this.ready());
    return done;
  }

  private say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const start = this.isAtPrompt ? "\n" : "";
    this.isAtPrompt = false;
    this.options.write(`${start}${lines.map(stripStyles).join("\n")}\n`);
  }

  /** The mark, once it is clear that nothing more comes by itself. */
  private readySoon(): void {
    if (this.readyTimer) clearTimeout(this.readyTimer);
    this.readyTimer = setTimeout(() => this.ready(), readyMs);
    this.readyTimer.unref();
  }

  /** The mark in front of what is typed, whenever something may be typed. */
  private ready(): void {
    const { run, exit } = this.store.getState();
    if (this.isAtPrompt || exit || (run.isRunning && !this.asked && !this.page)) return;
    this.options.write(this.asked || this.page ? "Your choice: " : "Your request: ");
    this.isAtPrompt = true;
  }

  private follow(state: AppState, before: AppState): void {
    if (state.transcript !== before.transcript) this.say(this.reader.news(state.transcript.items));
    if (state.run !== before.run) this.followRun(state, before);
    if (state.mode !== before.mode && before.session) this.say([`Permission mode: ${state.mode}.`]);
    if (state.todos !== before.todos) this.say(todoLines(state));
    if (state.hint && state.hint !== before.hint) this.say([`Note: ${oneLine(state.hint.text)}`]);
    if (state.questions[0] !== before.questions[0]) this.ask(state);
    if (state.picker !== before.picker && state.picker) this.open(state.picker);
    if (state.screen.copy !== before.screen.copy)
      this.say(["Nothing can be put into the clipboard in this mode: name a file, /export FILE."]);
    else if (state.screen !== before.screen) this.say(["The screen stays as it is in this mode."]);
    const restored = state.input.restore;
    if (restored !== null && restored !== before.input.restore) this.say([`Not sent: ${oneLine(restored)}`]);
    if (!state.run.isRunning) this.readySoon();
  }

  private followRun({ run }: AppState, before: AppState): void {
    if (run.isRunning && !before.run.isRunning) {
      this.say(["Working."]);
      this.heartbeat = setInterval(() => this.beat(), heartbeatMs);
      this.heartbeat.unref();
    }
    if (!run.isRunning && before.run.isRunning) {
      this.stopHeartbeat();
      this.say([`Done after ${durationWords(this.now() - before.run.startedAt)}.`]);
    }
    const { retry } = run;
    if (retry && retry.attempt !== before.run.retry?.attempt) {
      const of = retry.maxAttempts === null ? "" : ` of ${retry.maxAttempts}`;
      const wait = durationWords(Math.max(0, retry.retryAt - this.now()));
      this.say([`${shortReason(retry.reason)}. Trying again in ${wait}, attempt ${retry.attempt}${of}.`]);
    }
    if (run.status === "compacting" && before.run.status !== "compacting") this.say(["Summarising the conversation."]);
  }

  private beat(): void {
    const { run, questions } = this.store.getState();
    if (questions.length === 0) this.say([`Still working, ${durationWords(this.now() - run.startedAt)}.`]);
  }

  private stopHeartbeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
    this.heartbeat = null;
  }

  private ask({ questions }: AppState): void {
    const question = questions[0];
    this.asked = question ? { id: question.id, at: this.now(), asking: asking(question) } : null;
    if (!this.asked) return;
    this.say(this.asked.asking.lines);
    this.ready();
  }

  private open(picker: NonNullable<AppState["picker"]>): void {
    const { lines, choose } = pageLines(picker, this.actions, this.store.getState().background);
    this.page = choose ?? null;
    this.actions.setPicker(null);
    this.say(lines);
    this.ready();
  }

  /** One typed line: an answer, a choice of a page, or a prompt. */
  private take(line: string): void {
    this.isAtPrompt = false;
    const { asked, page } = this;
    const quietMs = this.options.settings.quietMs ?? defaultQuietMs;
    if (asked && this.now() - asked.at >= quietMs) this.answer(asked, line);
    else if (page) {
      this.page = null;
      const number = Number(line.trim());
      if (line.trim() === "") this.ready();
      else if (Number.isInteger(number) && number >= 1 && number <= page.count) page.pick(number - 1);
      else this.submit(line);
    } else this.submit(line);
    this.readySoon();
  }

  private answer({ id, asking: open }: NonNullable<Linear["asked"]>, line: string): void {
    const taken = open.take(line);
    if (taken === null) {
      this.say(["That is no answer here.", open.lines.at(-1) ?? ""]);
      this.ready();
    } else if ("lines" in taken) {
      this.say(taken.lines);
      this.ready();
    } else this.actions.answer(id, taken.answer);
  }

  private submit(line: string): void {
    const text = line.trim();
    if (text === "") return;
    this.own.add(text);
    const isWaiting = this.store.getState().run.isRunning;
    this.actions.submit({ text });
    if (isWaiting && !text.startsWith("/")) this.say(["Noted: it is sent when the work in hand allows."]);
  }

  /** Control C: stops the run; at rest the second one leaves. */
  private interrupt(): void {
    if (this.store.getState().run.isRunning) {
      this.say(["Stopping."]);
      this.actions.interrupt();
      return;
    }
    if (this.now() - this.interruptedAt < leaveMs) {
      this.actions.exit(0);
      return;
    }
    this.interruptedAt = this.now();
    this.say(["Press Control C again to leave."]);
    this.ready();
  }
}

const todoLines = ({ todos }: AppState): string[] => {
  const done = todos.filter(({ status }) => status === "completed").length;
  const active = todos.find(({ status }) => status === "in_progress");
  if (todos.length === 0) return [];
  return [
    `Tasks: ${done} of ${todos.length} done${active ? `, now: ${oneLine(active.activeForm ?? active.subject)}` : ""}.`,
  ];
};

/** Opens the session in plain lines. Call once; it ends when the person leaves or the input does. */
export const mountLinear = (options: LinearOptions): MountedApp<AppStore> => {
  const linear = new Linear(options);
  const exited = linear.run();
  return { store: linear.store, waitUntilExit: () => exited };
};
