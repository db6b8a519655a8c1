// Checkpoints of the session: one for each prompt, and the files' states kept before an allowed call changes them.
import type { Emit, PendingCall } from "../execution/context.js";
import { landingPath } from "../platform/fs.js";
import { newId } from "../protocol/ids.js";
import { type ContentBlock, isInterruptMark, textOf } from "../protocol/messages.js";
import type { LostFile } from "../sessions/checkpoint.js";
import {
  emptyHistory,
  hasCheckpoints,
  newCheckpoint,
  readCheckpoints,
  snapshotLine,
} from "../sessions/checkpoint-records.js";
import { fileHistoryDir } from "../sessions/checkpoint-store.js";
import { shownText } from "../sessions/wrappers.js";
import type { LoadedCheckpoints } from "./checkpoint-holder.js";
import { childEnv, type Session, workingDirs } from "./session.js";

const isSet = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value ?? "");

/** Whether this session keeps files: not without a record, and not where settings say no. */
export const keepsFiles = ({ options, settings, isUnkept }: Session): boolean =>
  options.flags.persist !== false &&
  isUnkept !== true &&
  settings.get("fileCheckpointingEnabled") !== false &&
  !isSet(options.env.CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING);

/** Whether a recorded user text is something that a person typed: what a rewind can go back to. */
export const isTyped = (content: string | ContentBlock[], shown?: string): boolean => {
  const text = shown ?? textOf(content);
  return shownText(text === "" ? textOf(content) : text).kind === "prompt" && !isInterruptMark(text);
};

const load = async (session: Session): Promise<LoadedCheckpoints> => {
  const [{ Checkpoints }, { CommandWatch }] = await Promise.all([
    import("../sessions/checkpoint.js"),
    import("../sessions/command-watch.js"),
  ]);
  const { checkpoints: holder, options, places, id } = session;
  const history = holder.records ? readCheckpoints(holder.records, options.cwd) : emptyHistory();
  for (const { id: prompt, at } of holder.begun) history.checkpoints.push(newCheckpoint(prompt, "prompt", at));
  holder.records = undefined; // they may be large
  const dir = fileHistoryDir(places.configDir, id);
  const record = (line: Parameters<NonNullable<Session["transcript"]>["appendRaw"]>[0]) =>
    session.id === id && session.transcript?.appendRaw(line);
  const now = () => options.clock.now();
  return { checkpoints: new Checkpoints({ dir, history, now, record, newId }), watch: new CommandWatch(Date.now), dir };
};

/** The session's checkpoints; loaded at the first use. */
export const openCheckpoints = (session: Session): Promise<LoadedCheckpoints> => {
  session.checkpoints.loaded ??= load(session);
  return session.checkpoints.loaded;
};

/** Does something beside the conversation; closing the session waits for it. */
const inBackground = (session: Session, work: Promise<unknown>): void => {
  const { checkpoints } = session;
  const settled = work.catch((error: unknown) => noteFailure(session, error));
  checkpoints.pending = Promise.all([checkpoints.pending, settled]);
};

const noteFailure = (session: Session, error: unknown): void =>
  session.why.add({
    kind: "checkpoint",
    what: "A checkpoint could not be kept",
    why: error instanceof Error ? error.message : String(error),
  });

/** A prompt begins. Nothing is read from the disk here: what was changed before is looked at beside the request. */
export const beginCheckpoint = (session: Session, id: string): void => {
  if (!keepsFiles(session)) return;
  const { checkpoints, options } = session;
  if (checkpoints.loaded || (checkpoints.records && hasCheckpoints(checkpoints.records))) {
    inBackground(
      session,
      openCheckpoints(session).then((loaded) => loaded.checkpoints.begin(id)),
    );
    return;
  }
  const at = options.clock.now();
  checkpoints.begun.push({ id, at });
  session.transcript?.appendRaw(snapshotLine({ id, kind: "prompt", at }, [], { isUpdate: false, now: at }));
};

const editTools: ReadonlySet<string> = new Set(["Edit", "Write", "NotebookEdit"]);

/** Before an allowed call: keeps what it will change. The result is called when the call is over. Never throws. */
export const keepFiles = async (
  session: Session,
  call: PendingCall,
  emit: Emit,
): Promise<(() => Promise<void>) | undefined> => {
  const { tool, facts, input } = call;
  if (!tool || !facts || !keepsFiles(session) || tool.isReadOnly(input)) return undefined;
  try {
    if (facts.command !== undefined) return await watchCommand(session, call, facts.command);
    return editTools.has(tool.name) ? await keepEdited(session, call, facts.writes, emit) : undefined;
  } catch (error) {
    noteFailure(session, error);
    await emit({
      type: "notice",
      level: "warning",
      text: lostText(`what ${tool.name} changes now`, "it was not kept"),
    });
    return undefined;
  }
};

const lostText = (what: string, why: string): string => `/rewind cannot bring back ${what}: ${why}.`;

const tellLost = async (session: Session, lost: readonly LostFile[], emit: Emit): Promise<void> => {
  for (const { path, problem } of lost) {
    session.why.add({ kind: "checkpoint", what: `Could not keep ${path}`, why: problem });
    await emit({ type: "notice", level: "warning", text: lostText(path, problem), key: `checkpoint ${path}` });
  }
};

const keepEdited = async (
  session: Session,
  call: PendingCall,
  writes: readonly string[],
  emit: Emit,
): Promise<() => Promise<void>> => {
  const { checkpoints } = await openCheckpoints(session);
  const paths = [...new Set(await Promise.all(writes.map(landingPath)))];
  const name = call.tool?.name ?? call.block.name;
  const { lost, settle } = await checkpoints.touch(paths, name);
  await tellLost(session, lost, emit);
  return () => {
    const display = call.result?.isError ? undefined : call.result?.display;
    const work = settle(display?.kind === "diff" ? { added: display.added, removed: display.removed } : undefined);
    inBackground(session, work);
    return work.catch(() => undefined); // noted above
  };
};

/** A command goes on where we cannot see what it does. */
const backgroundText = (call: PendingCall, command: string): string[] => {
  const id = (call.result?.structured as { backgroundTaskId?: unknown } | undefined)?.backgroundTaskId;
  if (typeof id !== "string") return [];
  const short = command.length > 60 ? `${command.slice(0, 60)}…` : command;
  return [`"${short}" went on in the background: what it changed there is not known.`];
};

/** Looks at the working folders before a command; what it changed is taken over behind its result, without waiting. */
const watchCommand = async (session: Session, call: PendingCall, command: string): Promise<() => Promise<void>> => {
  const { checkpoints, watch } = await openCheckpoints(session);
  const end = await checkpoints.inTurn(() => watch.begin(workingDirs(session), childEnv(session)));
  return async () => {
    const find = async () => {
      const { changes, unknown } = await end();
      for (const sentence of unknown)
        session.why.add({ kind: "checkpoint", what: sentence, why: "commands there cannot be taken back" });
      return { changes, unknown: [...unknown, ...backgroundText(call, command)] };
    };
    inBackground(session, checkpoints.adopt(find, call.tool?.name ?? "Bash"));
  };
};
