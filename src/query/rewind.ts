// Rewinding: files, the conversation, or both go back to a point; or a part of the conversation is folded to a summary.
import { relative } from "node:path";
import type { Emit } from "../execution/context.js";
import { isInside } from "../platform/fs.js";
import { newId } from "../protocol/ids.js";
import type { Picker, RewindReport } from "../protocol/pickers.js";
import type { RequestOf } from "../protocol/requests.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { openCheckpoints } from "./checkpoints.js";
import { branchConversation } from "./rewind-conversation.js";
import {
  checkpointOf,
  type PointRecord,
  pointRecords,
  type RewindNote,
  rewindPoints,
  sessionRecords,
} from "./rewind-points.js";
import { reportOf, reportText } from "./rewind-report.js";
import { summariseFrom, summariseUpTo } from "./rewind-summary.js";
import type { Session } from "./session.js";
import { sessionRecorder } from "./session-record.js";

/** The data of /rewind. Throws an Error for the person when there is nothing to go back to. */
export const rewindPicker = async (session: Session): Promise<Extract<Picker, { kind: "rewind" }>> => {
  const { cleared } = session;
  const found = await rewindPoints(session).catch((error: unknown) => {
    if (cleared) return { points: [] }; // what was cleared is still there
    throw error;
  });
  return { kind: "rewind", ...found, ...(cleared ? { cleared } : {}) };
};

const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};

const shortenIn = (session: Session) => (path: string) => {
  const { cwd } = session.options;
  return isInside(path, cwd) ? relative(cwd, path) : path;
};

/** Rewinds the files to a checkpoint, or only says what that would do. Throws when there is no such checkpoint. */
const rewindFiles = async (
  session: Session,
  checkpoint: string | undefined,
  options: { isDryRun: boolean; takesConflicts: boolean },
): Promise<{ report: RewindReport; kept?: string }> => {
  const { checkpoints, dir } = await openCheckpoints(session);
  const { applyRewind, planRewind } = await import("../sessions/rewind.js");
  const plan = checkpoint === undefined ? undefined : await planRewind(checkpoints, dir, checkpoint);
  if (!plan || checkpoint === undefined)
    throw new Error("There is no checkpoint of the files for this point (only the newest 100 are kept).");
  if (options.isDryRun) return { report: await reportOf(checkpoint, plan) };
  const record = (line: TranscriptRecord) => session.transcript?.appendRaw(line);
  const to = checkpoint;
  const done = await applyRewind(plan, { checkpoints, record, newId, to, takesConflicts: options.takesConflicts });
  await session.transcript?.sync();
  return { report: await reportOf(checkpoint, plan, done.files), kept: done.id };
};

/** The model must not go on from files that are gone. */
const tellModel = (session: Session, report: RewindReport): void => {
  const changed = report.files.filter(
    ({ action }) => action === "restore" || action === "create" || action === "remove",
  );
  if (changed.length === 0 || session.messages.length === 0) return;
  const names = changed.map(({ path, action }) => `- ${path}${action === "remove" ? " (removed)" : ""}`).join("\n");
  const content = `<system-reminder>\nThe person took back earlier changes to these files. What you know of their content is out of date; read them again before you use or edit them:\n${names}\n</system-reminder>`;
  sessionRecorder(session).user(content, { isMeta: true });
  session.messages.push({ role: "user", content });
};

const explain = (session: Session, what: string, why: string): void =>
  session.why.add({ kind: "checkpoint", what, why });

type Announce = () => Promise<void>;

/** Where the conversation has to go on for a point, and what the prompt box should hold then. */
const placeOf = ({ kind, record, text, note }: PointRecord): { to: string | null; prompt?: string } =>
  kind === "undo" ? { to: note?.from ?? null } : { to: record.parentUuid ?? null, prompt: text };

const elsewhere = (uuid: string): PointRecord => ({
  kind: "prompt",
  record: { type: "user", uuid },
  text: `the prompt ${uuid}`,
});

/** Goes back. Throws an Error for the person; files are each whole or untouched then. */
const goBack = async (
  session: Session,
  request: RequestOf<"rewind">,
  { point, emit, announce }: { point: PointRecord; emit: Emit; announce: Announce },
): Promise<void> => {
  const { scope, takesConflicts = false } = request;
  const withCode = scope === "code" || scope === "both";
  const withTalk = scope === "conversation" || scope === "both";
  if (withTalk && point.kind === "undo" && point.note?.from === undefined)
    throw new Error("That rewind left the conversation as it was: there is nothing of it to take back.");
  const name = point.kind === "undo" ? "the rewind" : `"${short(point.text)}"`;
  const files = withCode
    ? await rewindFiles(session, checkpointOf(point), { isDryRun: false, takesConflicts })
    : undefined;
  const said = files ? reportText(files.report, shortenIn(session)) : "";
  const from = session.transcript?.lastUuid() ?? null;
  const note: RewindNote = { ...(withTalk ? { from } : {}), ...(files?.kept ? { checkpoint: files.kept } : {}) };
  const text =
    `Went back to before ${name}: ${withTalk ? (withCode ? "conversation and files" : "conversation") : "files"}. ${said}`.trim();
  if (withTalk) {
    const { to, prompt } = placeOf(point);
    await branchConversation(session, { to, text, note, announce }, emit);
    if (prompt !== undefined) await emit({ type: "restore_prompt", text: prompt });
  } else {
    if (files) tellModel(session, files.report);
    session.transcript?.appendSystem({ subtype: "notice", content: text, level: "info", rewind: note });
    await emit({ type: "notice", level: "info", text });
  }
  if (files) await emit({ type: "rewind", report: files.report });
  explain(session, text, `asked for with /rewind (${scope})`);
};

/**
 * Does a `rewind` request. `announce` tells the screen that another conversation begins. Throws an Error for the person.
 */
export const rewind = async (
  session: Session,
  request: RequestOf<"rewind">,
  { emit, announce, signal }: { emit: Emit; announce: Announce; signal: AbortSignal },
): Promise<void> => {
  const records = await sessionRecords(session);
  const known = pointRecords(records).find(({ record }) => record.uuid === request.id);
  // Hosts may name a prompt of a branch that is not in use: its checkpoint of the files still holds.
  const point = known ?? (request.scope === "code" ? elsewhere(request.id) : undefined);
  if (request.isDryRun) {
    const { report } = await rewindFiles(session, point && checkpointOf(point), {
      isDryRun: true,
      takesConflicts: false,
    });
    await emit({ type: "rewind", report: { ...report, id: request.id } });
    return;
  }
  if (!point) throw new Error("There is no such prompt in this conversation.");
  if (request.scope === "summarise_from") return summariseFrom(session, { point, announce }, emit, signal);
  if (request.scope === "summarise_up_to") return summariseUpTo(session, { point, records }, emit, signal);
  await goBack(session, request, { point, emit, announce });
};
