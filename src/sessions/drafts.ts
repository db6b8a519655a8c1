// What a person wrote and did not send yet: one small file per process, so that a kill loses nothing of it.
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { processStartTime } from "../platform/process-start.js";
import { newId } from "../protocol/ids.js";
import { pastedText } from "../protocol/requests.js";

const draftFile = z.object({
  pid: z.number(),
  /** When that process began, as the system tells it. */
  startTime: z.string(),
  sessionId: z.string(),
  cwd: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** What stands in the prompt; long pastes as placeholders. */
  text: z.string(),
  pastes: z.array(pastedText),
  /** Prompts that wait, oldest first. */
  queued: z.array(z.object({ uuid: z.string(), text: z.string() })),
});
export type Draft = z.infer<typeof draftFile>;
export type DraftContent = Omit<Draft, "pid" | "startTime">;

const fileOf = (folder: string, pid: number): string => join(folder, `${pid}.json`);

/** Writes this process's draft whole (0600); one without text and queue removes it. Never throws: typing goes on. */
export const writeDraft = (folder: string, content: DraftContent): void => {
  const file = fileOf(folder, process.pid);
  if (content.text === "" && content.queued.length === 0) {
    removeFile(file);
    return;
  }
  const draft: Draft = { pid: process.pid, startTime: processStartTime(process.pid) ?? "", ...content };
  const temporary = `${file}.${newId()}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(draft), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    removeFile(temporary); // a disk that refuses must not stop anybody from typing
  }
};

/** Drafts of processes that are gone, newest first. Files that cannot be read are passed over. */
export const leftDrafts = (folder: string): { file: string; draft: Draft }[] =>
  namesIn(folder)
    .flatMap((name) => {
      const file = join(folder, name);
      const draft = readDraft(file);
      return draft !== undefined && !isRunning(draft) ? [{ file, draft }] : [];
    })
    .sort((a, b) => b.draft.at - a.draft.at);

/** Removes a draft that has found another place. */
export const removeDraft = (file: string): void => removeFile(file);

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return []; // nothing was ever left
  }
};

const readDraft = (file: string): Draft | undefined => {
  try {
    return draftFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined; // taken by another start meanwhile, or broken
  }
};

const isRunning = ({ pid, startTime }: Draft): boolean => {
  const started = processStartTime(pid);
  if (started === "") return false; // no such process
  // Where the system does not tell, a process of that number counts as the one that wrote.
  return started === undefined || startTime === "" || started === startTime ? isAlive(pid) : false;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const removeFile = (file: string): void => {
  try {
    unlinkSync(file);
  } catch {
    // Gone already.
  }
};
