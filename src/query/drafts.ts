// Text that was typed and not sent, and prompts that wait: kept on disk while they do, given back after a kill.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emit } from "../execution/context.js";
import type { PastedText } from "../protocol/requests.js";
import { type Draft, leftDrafts, removeDraft, writeDraft } from "../sessions/drafts.js";
import { appendPrompt } from "../sessions/prompt-history.js";
import type { Session } from "./session.js";

const dayMs = 24 * 60 * 60 * 1000;
/** Older ones would surprise in a prompt: they go to the history. */
const restoredDays = 7;

const folderOf = ({ places }: Session): string => join(places.configDir, "drafts");

const keepsDrafts = ({ options }: Session): boolean =>
  options.isInteractive && !options.env.CLAUDE_CODE_SKIP_PROMPT_HISTORY;

/** Writes what is to be kept now: after a pause in typing, and when the queue changes. */
const keep = (session: Session): void => {
  if (!keepsDrafts(session)) return;
  const { text = "", pastes = [] } = session.draft ?? {};
  const queued = session.queue.map(({ uuid, text: prompt, isShell }) => ({
    uuid,
    text: isShell ? `!${prompt}` : prompt,
  }));
  if (text === "" && queued.length === 0 && !session.hasDraft) return;
  session.hasDraft = text !== "" || queued.length > 0;
  const { id, options } = session;
  writeDraft(folderOf(session), {
    sessionId: id,
    cwd: options.cwd,
    at: options.clock.now(),
    text,
    pastes: [...pastes],
    queued,
  });
};

/** The prompt holds this now. */
export const saveDraft = (session: Session, text: string, pastes: readonly PastedText[] = []): void => {
  session.draft = { text, pastes };
  keep(session);
};

/** The queue is another one now. */
export const queueChanged = (session: Session): void => keep(session);

/** Prompts of a draft that did not reach the conversation before the end came. */
const unsent = (session: Session, { queued, sessionId }: Draft): string[] => {
  if (queued.length === 0) return [];
  let transcript = "";
  try {
    transcript = readFileSync(join(session.places.projectDir, `${sessionId}.jsonl`), "utf8");
  } catch {
    // The session ended before its first record: nothing was sent.
  }
  return queued.filter(({ uuid }) => !transcript.includes(uuid)).map(({ text }) => text);
};

const ageText = (ms: number): string => {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 2) return "a moment ago";
  if (minutes < 120) return `${minutes} minutes ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(minutes / 1_440)} days ago`;
};

const counted = (count: number): string => (count === 1 ? "1 prompt that waited" : `${count} prompts that waited`);

/** Puts the newest unsent text of this folder (or of this session) into the prompt; older ones go to the history. */
export const restoreDrafts = async (session: Session, emit: Emit): Promise<void> => {
  if (!keepsDrafts(session)) return;
  const { options, places, id } = session;
  const now = options.clock.now();
  let isRestored = false;
  for (const { file, draft } of leftDrafts(folderOf(session))) {
    if (draft.cwd !== options.cwd && draft.sessionId !== id) continue;
    const waited = unsent(session, draft);
    const text = [...waited, draft.text].filter((part) => part !== "").join("\n\n");
    const isRecent = now - draft.at < restoredDays * dayMs;
    if (text !== "" && !isRestored && isRecent) {
      isRestored = true;
      const what = [
        draft.text === "" ? "" : "text you had not sent",
        waited.length === 0 ? "" : counted(waited.length),
      ];
      saveDraft(session, text, draft.pastes); // under this process, before the other file goes
      await emit({ type: "restore_prompt", text, pastes: draft.pastes });
      const back = what.filter(Boolean).join(" and ");
      await emit({
        type: "notice",
        level: "info",
        text: `Back in the prompt: ${back} (${ageText(now - draft.at)}).`,
        key: "draft",
      });
    } else if (text !== "") {
      const { pastes, at: timestamp, cwd: project, sessionId } = draft;
      appendPrompt(places.historyFile, { display: text, pastes, timestamp, project, sessionId });
    }
    removeDraft(file);
  }
};
