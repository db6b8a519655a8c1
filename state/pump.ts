// The pump: reads the engine's events into the store. Deltas are collected for a frame's time, what agents do a little
// longer, everything else is set at once; a fast engine never starves the keyboard.
import type { Engine } from "../src/protocol/engine.js";
import type { EngineEvent, RunOutcome } from "../src/protocol/events.js";
import type { Request } from "../src/protocol/requests.js";
import { reduce } from "./reduce.js";
import { childOf } from "./slices/agents.js";
import type { AppStore } from "./store.js";

/** Time between two stores of streamed text: what is shown is at most this old, at 50 stores a second. */
const flushMs = 20;
/** The same while text comes faster than the event loop turns: nobody can read that fast. */
const floodMs = 66;
/** Time between two stores of what agents do: a pane shows a few last lines, however many agents write. */
const paneMs = 100;
/** Longest stretch of event reading before keys and timers get their turn. */
const sliceMs = 8;

export interface Pump {
  /** Submits a request and reads its events to the end. Rejects when the engine throws (a bug) or never loads. */
  run(request: Request): Promise<RunOutcome | undefined>;
  /** Takes one event that belongs to no request. */
  receive(event: EngineEvent): void;
  /** Stores what is still held back. */
  flush(): void;
}

export interface PumpOptions {
  engine: Promise<Engine>;
  store: AppStore;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** True while the terminal cannot take another frame: text waits then. */
  isBlocked: () => boolean;
  /** Told of each event after it was stored. */
  onEvent: (event: EngineEvent) => void;
}

type Delta = Extract<EngineEvent, { type: "text" | "thinking" }>;
const isDelta = (event: EngineEvent): event is Delta => event.type === "text" || event.type === "thinking";

/** Events that cannot wait even while a session is being replayed: somebody or something waits for them. */
const urgentInReplay = new Set<EngineEvent["type"]>([
  "session",
  "question",
  "question_settled",
  "picker",
  "rewind",
  "restore_prompt",
  "exit",
  "run_end",
]);

/** What only a pane shows. Its end and its questions are not among it. */
const isForPane = (event: EngineEvent): boolean => event.type === "agent_progress" || childOf(event) !== undefined;

const isSameBlock = (first: Delta, second: Delta): boolean =>
  first.type === second.type &&
  first.messageId === second.messageId &&
  first.index === second.index &&
  first.parentToolUseId === second.parentToolUseId;

/** Where a held delta of the same block stands, with only deltas behind it (agents stream side by side); -1: nowhere. */
const sameBlockAt = (held: readonly EngineEvent[], event: Delta): number => {
  for (let at = held.length - 1; at >= 0; at--) {
    const other = held[at]!;
    if (!isDelta(other)) return -1;
    if (isSameBlock(other, event)) return at;
  }
  return -1;
};

/** Adds an event to a list; a delta joins the one before it. */
const join = (list: EngineEvent[], event: EngineEvent): void => {
  const at = isDelta(event) ? sameBlockAt(list, event) : -1;
  const known = list[at];
  if (known && isDelta(known) && isDelta(event)) list[at] = { ...known, delta: known.delta + event.delta };
  else list.push(event);
};

interface Held {
  /** Keeps an event, behind all that came before it, until the next flush. */
  add(event: EngineEvent): void;
  /** Keeps what only a pane shows for `paneMs`, or until something else is stored that may depend on it. */
  holdForPane(event: EngineEvent): void;
  /** Keeps it for a frame's time at most, longer only while the terminal is blocked. */
  hold(event: EngineEvent): void;
  flush(): void;
}

/** A timer that waits on while the terminal is blocked. */
const createAlarm = (isBlocked: () => boolean, ring: () => void) => {
  let handle: ReturnType<typeof setTimeout> | undefined;
  const due = (): void => {
    handle = isBlocked() ? setTimeout(due, flushMs) : undefined;
    if (handle === undefined) ring();
  };
  return {
    /** Sets it unless it is set. */
    set: (ms: number): void => {
      handle ??= setTimeout(due, ms);
    },
    clear: (): void => {
      clearTimeout(handle);
      handle = undefined;
    },
  };
};

/** Events on their way into the store. */
const createHeld = ({ store, now, isBlocked, onEvent }: Omit<PumpOptions, "engine">): Held => {
  let held: EngineEvent[] = [];
  let forPanes: EngineEvent[] = [];
  let lastSend = 0;
  let lastPanes = 0;

  const send = (): void => {
    alarm.clear();
    lastSend = now();
    if (held.length === 0) return;
    const events = held;
    held = [];
    let state = store.getState();
    for (const event of events) state = reduce(state, event, lastSend);
    store.setState(state, true);
    for (const event of events) onEvent(event);
  };
  const takePanes = (): void => {
    paneAlarm.clear();
    lastPanes = now();
    held.push(...forPanes);
    forPanes = [];
  };
  const flush = (): void => {
    takePanes();
    send();
  };
  const alarm = createAlarm(isBlocked, send);
  const paneAlarm = createAlarm(isBlocked, flush);
  // A stream faster than the event loop gets no timers: the clock decides then.
  const isLate = (last: number, ms: number): boolean => now() - last > ms && !isBlocked();
  const add = (event: EngineEvent): void => {
    if (!isDelta(event)) takePanes();
    join(held, event);
  };
  const hold = (event: EngineEvent): void => {
    add(event);
    if (isLate(lastSend, floodMs)) send();
    else alarm.set(flushMs);
  };
  const holdForPane = (event: EngineEvent): void => {
    if (forPanes.length === 0) lastPanes = Math.max(lastPanes, now() - paneMs);
    join(forPanes, event);
    if (isLate(lastPanes, 2 * paneMs)) flush();
    else paneAlarm.set(paneMs);
  };
  return { add, hold, holdForPane, flush };
};

/** Starts the reader. It subscribes to the engine's own events as soon as the engine is there. */
export const createPump = ({ engine, ...options }: PumpOptions): Pump => {
  const { now } = options;
  const held = createHeld(options);

  const take = (event: EngineEvent, isReplay: boolean): void => {
    if (event.type === "stream") return;
    if (isForPane(event)) held.holdForPane(event);
    else if (isDelta(event) || (isReplay && !urgentInReplay.has(event.type))) {
      held.hold(event);
    } else {
      held.add(event);
      held.flush();
    }
  };

  const run = async (request: Request): Promise<RunOutcome | undefined> => {
    const isReplay = request.type === "open" || request.type === "resume" || request.type === "rewind";
    const events = (await engine).submit(request);
    let sliceStart = now();
    for (;;) {
      const step = await events.next();
      if (step.done) {
        held.flush();
        return step.value;
      }
      take(step.value, isReplay);
      if (now() - sliceStart < sliceMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceStart = now();
    }
  };

  const receive = (event: EngineEvent): void => take(event, false);
  engine.then(
    (loaded) => loaded.subscribe(receive),
    () => undefined, // Whoever runs a request learns of it.
  );
  return { run, receive, flush: held.flush };
};
