// Actions: everything a key may do. The only way from the screen to the engine and to the store.
import type { Engine } from "../src/protocol/engine.js";
import type { EngineEvent, RunOutcome } from "../src/protocol/events.js";
import { newId } from "../src/protocol/ids.js";
import type { ImageBlock } from "../src/protocol/messages.js";
import type { PermissionUpdate } from "../src/protocol/permission.js";
import type { ScreenChange, SessionScope } from "../src/protocol/pickers.js";
import type { Answer } from "../src/protocol/questions.js";
import type { EarlierPrompt, PastedText, Request, RewindScope } from "../src/protocol/requests.js";
import type { AppState, TranscriptItem } from "./app-state.js";
import { createPump } from "./pump.js";
import { createPromptQueue, type QueuedPrompt } from "./queue.js";
import { endRunWithError } from "./reduce.js";
import { rememberPrompt } from "./slices/input.js";
import { pushNotice } from "./slices/notices.js";
import { settleQuestion } from "./slices/questions.js";
import { changeScreen } from "./slices/screen.js";
import type { AppStore } from "./store.js";

export interface Actions {
  /** Opens the session and then sends the first prompt, if there is one. Call once. */
  open(firstPrompt?: string): Promise<void>;
  /** Sends a prompt or a slash command; while something runs it waits in the queue. */
  submit(prompt: { text: string; shown?: string; images?: ImageBlock[]; pastes?: PastedText[] }): void;
  /** Reads an image from a file or, without a path, from the clipboard; a text says why there is none. */
  readImage(path?: string): Promise<ImageBlock | string>;
  /** Reads the prompts of all projects, newest first, batch by batch; resolves when they are all there. */
  readPrompts(onBatch: (prompts: readonly EarlierPrompt[]) => void): Promise<void>;
  /** Runs a command in the shell; while something runs it waits in the queue. */
  runShell(command: string): void;
  /** Puts text into the history without sending it: a cleared draft can be called back. */
  remember(text: string): void;
  /**
   * Takes the prompts that wait out of the queue for the prompt box, oldest first. Null: none waits. What has reached
   * the conversation meanwhile is not among them; null later: all of it has.
   */
  pullQueued(): Promise<string | null> | null;
  /** Answers a question; the dialog is gone at once. */
  answer(id: string, answer: Answer): void;
  interrupt(): void;
  /** Stops one subagent; everything else goes on. */
  stopAgent(id: string): void;
  /** Takes a failed subagent off the screen. */
  dismissAgent(id: string): void;
  /** Walks to the next permission mode. */
  cycleMode(): void;
  /** Runs a slash command as if it had been typed; it does not join the history. */
  runCommand(command: string): void;
  /** Turns thinking off, or on again. */
  toggleThinking(): void;
  setModel(model: string | null, save: boolean): void;
  updatePermissions(updates: PermissionUpdate[]): void;
  resume(sessionId: string): void;
  /** Keeps what stands in the prompt, for a start after a kill. */
  saveDraft(text: string, pastes: PastedText[]): void;
  /** Shows other sessions in the open list of sessions. */
  listSessions(scope: SessionScope): void;
  /** Names a session of the open list. */
  renameSession(sessionId: string, name: string): void;
  /** Puts text into the clipboard. */
  copy(text: string): void;
  /** Asks for paths that fit what is being typed; they come as `completions`. Null: nothing is being typed any more. */
  completePath(wanted: { query: string; of: "mention" | "shell" } | null): void;
  /** Lets running commands go on in the background. */
  moveToBackground(): void;
  /** Opens the output of a background task. */
  showTask(id: string): void;
  stopTask(id: string): void;
  /** Does something with an MCP server; what came of it is a notice. */
  mcp(action: "reconnect" | "enable" | "disable" | "login" | "logout", server: string): void;
  editFile(path: string, content: string): void;
  /** Sets members of the user's settings; null removes one. */
  saveSettings(members: Record<string, unknown>): void;
  /** Sets one setting where it has an effect; the open dialog follows. */
  changeSetting(key: string, value: string): void;
  /** Runs the person's status line anew. */
  refreshStatusLine(screen: { columns: number; rows: number; vim?: string }): void;
  /** Changes how the screen is used. */
  changeScreen(change: ScreenChange): void;
  setPicker(picker: AppState["picker"]): void;
  /** Opens the page of an agent from its pane; null: its pane has the choice back. */
  openAgent(id: string | null, page?: AppState["picker"]): void;
  /** Asks for the points a rewind can go back to; the picker opens when they are there. */
  openRewind(): void;
  /** Asks what a rewind to the point would do to files; the open picker shows it. */
  previewRewind(id: string): void;
  /** Goes back to the point. `takesConflicts`: also with files that somebody else changed since. */
  rewind(id: string, scope: RewindScope, takesConflicts?: boolean): void;
  /** Leaves things out of the context (or undoes a fold); a new picker comes back. */
  dropContext(ids: readonly string[]): void;
  toggleTodos(): void;
  /** Shows all output whole, or all of it short again. */
  toggleExpanded(): void;
  /** Shows one item's output whole, or short again. */
  toggleItem(id: string): void;
  /** Shows one short line above the prompt for a while. */
  hint(text: string, ms: number): void;
  clearHint(): void;
  /** Text the engine wants in the prompt: given once. */
  takeRestore(): string | null;
  notice(level: "info" | "warning" | "error", text: string): void;
  resize(size: AppState["size"]): void;
  /** Ends the session and then the program. */
  exit(code: number): void;
}

export interface ActionsOptions {
  engine: Promise<Engine>;
  store: AppStore;
  now: () => number;
  isBlocked: () => boolean;
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Connects a store with an engine that may still be loading: what is asked of it before waits. */
export const createActions = ({ engine, store, now, isBlocked }: ActionsOptions): Actions => {
  const imageReaders = new Map<string, (image: ImageBlock | string) => void>();
  const promptReaders = new Map<string, (prompts: readonly EarlierPrompt[]) => void>();
  const takenBack = new Set<string>();
  const onEvent = (event: EngineEvent): void => {
    if (event.type === "image")
      imageReaders.get(event.id)?.((event.image as ImageBlock | undefined) ?? event.problem ?? "it cannot be read");
    if (event.type === "prompts") promptReaders.get(event.id)?.(event.prompts);
    if (event.type === "unqueued") takenBack.add(event.uuid);
    queue.onEvent(event);
  };
  const pump = createPump({ engine, store, now, isBlocked, onEvent });

  /** Runs a request to its end. An engine that throws ends the run with an error line, never the session. */
  const request = async (what: Request): Promise<RunOutcome | undefined> => {
    try {
      return await pump.run(what);
    } catch (error) {
      // With its stack, for the debug log that takes console output while the screen is ours.
      console.error(error);
      pump.flush();
      store.setState(endRunWithError(store.getState(), errorText(error), now()), true);
      return undefined;
    }
  };
  const send = ({ text, shown, uuid, images, pastes, isShell }: QueuedPrompt) =>
    request(
      isShell
        ? { type: "shell", command: text, uuid }
        : {
            type: "prompt",
            text,
            uuid,
            ...(images ? { images } : {}),
            ...(shown === text ? {} : { display: shown }),
            ...(pastes ? { pastes } : {}),
          },
    );
  const unqueue = async (uuid: string): Promise<boolean> => {
    await request({ type: "unqueue", uuid });
    return takenBack.delete(uuid);
  };
  const queue = createPromptQueue({ store, send, unqueue });

  const submit: Actions["submit"] = ({ text, shown = text, images, pastes }) => {
    store.setState(({ input }) => ({ input: rememberPrompt(input, shown) }));
    queue.add({
      text,
      shown,
      uuid: newId(),
      ...(images?.length ? { images } : {}),
      ...(pastes?.length ? { pastes } : {}),
    });
  };
  const open = async (firstPrompt?: string): Promise<void> => {
    try {
      await engine;
    } catch (error) {
      store.setState({ exit: { code: 1, message: errorText(error) } });
      return;
    }
    await request({ type: "open" });
    if (firstPrompt !== undefined && store.getState().exit === null) submit({ text: firstPrompt });
    queue.start();
  };
  return {
    open,
    submit,
    readImage: async (path) => {
      const id = newId();
      let found: ImageBlock | string = "it cannot be read";
      imageReaders.set(id, (image) => {
        found = image;
      });
      await request({ type: "read_image", id, ...(path === undefined ? {} : { path }) });
      imageReaders.delete(id);
      return found;
    },
    readPrompts: async (onBatch) => {
      const id = newId();
      promptReaders.set(id, onBatch);
      await request({ type: "read_prompts", id });
      promptReaders.delete(id);
    },
    runShell: (command) => {
      const shown = `!${command}`;
      store.setState(({ input }) => ({ input: rememberPrompt(input, shown) }));
      queue.add({ text: command, shown, uuid: newId(), isShell: true });
    },
    runCommand: (command) => queue.add({ text: command, shown: command, uuid: newId() }),
    pullQueued: queue.pull,
    ...engineActions(engine, store, request),
    ...screenActions(store, now),
  };
};

type EngineActions = Pick<
  Actions,
  | "exit"
  | "answer"
  | "interrupt"
  | "setModel"
  | "toggleThinking"
  | "updatePermissions"
  | "resume"
  | "listSessions"
  | "saveDraft"
  | "renameSession"
  | "editFile"
  | "saveSettings"
  | "changeSetting"
  | "refreshStatusLine"
  | "cycleMode"
  | "completePath"
  | "moveToBackground"
  | "showTask"
  | "stopTask"
  | "mcp"
  | "dropContext"
  | "openRewind"
  | "previewRewind"
  | "rewind"
  | "stopAgent"
>;

/** Actions that ask the engine for something. */
const engineActions = (
  engine: Promise<Engine>,
  store: AppStore,
  request: (what: Request) => Promise<unknown>,
): EngineActions => {
  let isLeaving = false;
  let modeChanges = 0;
  /** Shown at once, so that quick presses walk on; when the last one is through, what the engine says counts. */
  const cycleMode = async (): Promise<void> => {
    const mode = nextMode(store.getState());
    if (mode === undefined) return;
    store.setState({ mode });
    modeChanges += 1;
    await request({ type: "set_mode", mode });
    modeChanges -= 1;
    if (modeChanges === 0) store.setState({ mode: (await engine).session().permissionMode });
  };
  const exit = async (code: number): Promise<void> => {
    // A second wish to leave does not wait for an orderly end.
    if (store.getState().session && !isLeaving) {
      isLeaving = true;
      await request({ type: "close", reason: "exit" });
    }
    if (store.getState().exit === null) store.setState({ exit: { code } });
  };
  return {
    exit: (code) => void exit(code),
    answer: (id, answer) => {
      store.setState(({ questions }) => ({ questions: settleQuestion(questions, id) }));
      void engine.then((loaded) => loaded.answer(id, answer));
    },
    stopAgent: (agentId) => void request({ type: "stop_agent", agentId }),
    interrupt: () => void engine.then((loaded) => loaded.interrupt("run")),
    toggleThinking: () => {
      const { session } = store.getState();
      if (!session) return;
      const isOff = session.interface?.alwaysThinkingEnabled === false;
      const value = isOff ? null : false;
      store.setState({ session: { ...session, interface: { ...session.interface, alwaysThinkingEnabled: value } } });
      void request({ type: "save_settings", members: { alwaysThinkingEnabled: value } });
    },
    setModel: (model, save) => void request({ type: "set_model", model, save }),
    updatePermissions: (updates) => void request({ type: "update_permissions", updates }),
    dropContext: (ids) => void request({ type: "drop_context", ids: [...ids] }),
    openRewind: () => void request({ type: "rewind_points" }),
    previewRewind: (id) => void request({ type: "rewind", id, scope: "code", isDryRun: true }),
    rewind: (id, scope, takesConflicts = false) => void request({ type: "rewind", id, scope, takesConflicts }),
    resume: (sessionId) => void request({ type: "resume", sessionId }),
    saveDraft: (text, pastes) => void request({ type: "save_draft", text, ...(pastes.length === 0 ? {} : { pastes }) }),
    listSessions: (scope) => {
      store.setState(({ picker }) =>
        picker?.kind === "sessions" ? { picker: { ...picker, scope, isComplete: false } } : {},
      );
      void request({ type: "list_sessions", scope });
    },
    renameSession: (sessionId, name) => {
      const { picker } = store.getState();
      if (picker?.kind === "sessions") void request({ type: "rename_session", sessionId, name, scope: picker.scope });
    },
    completePath: (wanted) => {
      if (wanted) void request({ type: "complete_path", id: newId(), query: wanted.query, of: wanted.of });
      else if (store.getState().completions) store.setState({ completions: null });
    },
    moveToBackground: () => void request({ type: "move_to_background" }),
    showTask: (id) => void request({ type: "show_task", id }),
    stopTask: (id) => void request({ type: "stop_task", id }),
    mcp: (action, server) => void request({ type: "mcp", action, server }),
    saveSettings: (members) => void request({ type: "save_settings", members }),
    refreshStatusLine: (screen) => void request({ type: "status_line", ...screen }),
    changeSetting: (key, value) => void request({ type: "change_setting", key, value }),
    editFile: (path, content) => void request({ type: "edit_file", path, content }),
    cycleMode: () => void cycleMode(),
  };
};

type ScreenActions = Pick<
  Actions,
  | "remember"
  | "setPicker"
  | "openAgent"
  | "toggleTodos"
  | "toggleExpanded"
  | "toggleItem"
  | "dismissAgent"
  | "hint"
  | "clearHint"
  | "takeRestore"
  | "changeScreen"
  | "copy"
  | "notice"
  | "resize"
>;

/** Actions that need no engine. */
const screenActions = (store: AppStore, now: () => number): ScreenActions => ({
  remember: (text) => store.setState(({ input }) => ({ input: rememberPrompt(input, text) })),
  setPicker: (picker) => store.setState({ picker }),
  openAgent: (openedAgent, picker) => store.setState(picker ? { openedAgent, picker } : { openedAgent }),
  toggleTodos: () => store.setState((state) => ({ showTodos: !state.showTodos })),
  toggleExpanded: () => store.setState((state) => ({ transcript: expandAll(state) })),
  toggleItem: (id) => store.setState((state) => ({ transcript: expandOne(state, id) })),
  dismissAgent: (id) => store.setState(({ agents }) => ({ agents: agents.filter((agent) => agent.id !== id) })),
  hint: (text, ms) => {
    const hint = { text, until: now() + ms };
    store.setState({ hint });
    setTimeout(() => {
      if (store.getState().hint === hint) store.setState({ hint: null });
    }, ms).unref();
  },
  clearHint: () => {
    if (store.getState().hint !== null) store.setState({ hint: null });
  },
  takeRestore: () => {
    const { input } = store.getState();
    if (input.restore !== null) store.setState({ input: { ...input, restore: null } });
    return input.restore;
  },
  changeScreen: (change) => store.setState(({ screen }) => ({ screen: changeScreen(screen, change) })),
  copy: (text) => store.setState(({ screen }) => ({ screen: changeScreen(screen, { copy: text }) })),
  notice: (level, text) => store.setState((state) => ({ transcript: pushNotice(state.transcript, { level, text }) })),
  resize: (size) => {
    const known = store.getState().size;
    if (known.columns !== size.columns || known.rows !== size.rows) store.setState({ size });
  },
});

const nextMode = ({ mode, session }: AppState): AppState["mode"] | undefined => {
  const cycle = session?.modeCycle ?? [];
  return cycle[(cycle.indexOf(mode) + 1) % Math.max(1, cycle.length)];
};

const expandOne = ({ transcript }: AppState, id: string): AppState["transcript"] => {
  const item = transcript.items.findLast((one) => one.id === id);
  if (!item || !isFoldable(item)) return transcript;
  item.expanded = !item.expanded;
  item.v += 1;
  return { ...transcript, rev: transcript.rev + 1 };
};

const isFoldable = ({ kind }: TranscriptItem): boolean => kind === "tool" || kind === "thinking" || kind === "command";

/** Expands what is short; when nothing is, makes all short again. Items change in place. */
const expandAll = ({ transcript }: AppState): AppState["transcript"] => {
  const foldable = transcript.items.filter(isFoldable);
  const expanded = foldable.some((item) => !item.expanded);
  for (const item of foldable) {
    if ((item.expanded ?? false) === expanded) continue;
    item.expanded = expanded;
    item.v += 1;
  }
  return { ...transcript, rev: transcript.rev + 1 };
};
