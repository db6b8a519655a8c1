// `--rewind-files`: brings the files of a session back to before one of its prompts, without a screen and without a model.
import { sanitise } from "../lib/sanitise.js";
import type { Engine } from "../protocol/engine.js";
import type { EngineEvent } from "../protocol/events.js";
import type { RewindFile, RewindReport } from "../protocol/pickers.js";

export interface RewindFilesOptions {
  engine: Engine;
  /** Uuid of the prompt. */
  id: string;
  isJson: boolean;
  write(text: string): void;
  warn(text: string): void;
}

const isDone = ({ action }: RewindFile): boolean => action === "restore" || action === "create" || action === "remove";

/** The answer in the shape that hosts know from rewind_files, with what stayed beside it. */
const answerOf = ({ files, unknown }: RewindReport): Record<string, unknown> => {
  const done = files.filter(isDone);
  const sum = (pick: "added" | "removed") => done.reduce((total, file) => total + file[pick], 0);
  return {
    canRewind: true,
    filesChanged: done.map(({ path }) => path),
    insertions: sum("added"),
    deletions: sum("removed"),
    notChanged: files.filter((file) => !isDone(file)).map(({ path, reason }) => ({ path, reason })),
    unknown,
  };
};

const verbs: Partial<Record<RewindFile["action"], string>> = {
  restore: "changed back",
  create: "brought back",
  remove: "removed",
  kept: "left as it is",
  lost: "cannot come back",
  failed: "not done",
};

const linesOf = ({ files, unknown }: RewindReport): string[] => [
  ...files.map(({ path, action, added, removed, reason }) => {
    const lines = added + removed > 0 ? ` (+${added} -${removed})` : "";
    return `${verbs[action]}: ${path}${isDone({ action } as RewindFile) ? lines : ""}${reason ? `: ${reason}` : ""}`;
  }),
  ...(files.length === 0 ? ["No file had to change."] : []),
  ...unknown,
];

/** Opens the session, rewinds, writes what happened; returns the exit code: 1 when it could not or a file failed. */
export const runRewindFiles = async ({ engine, id, isJson, write, warn }: RewindFilesOptions): Promise<number> => {
  let report: RewindReport | undefined;
  let problem: string | undefined;
  const see = (event: EngineEvent): void => {
    if (event.type === "rewind") report = event.report;
    if (event.type === "exit") problem = event.message ?? "The session could not be opened.";
    if (event.type === "notice" && event.level === "error") problem = event.text;
    if (event.type === "notice" && event.level === "warning") warn(sanitise(event.text, { tabSize: 0 }));
  };
  for await (const event of engine.submit({ type: "open" })) see(event);
  if (problem === undefined) for await (const event of engine.submit({ type: "rewind", id, scope: "code" })) see(event);
  if (!report) {
    problem ??= "The files could not be brought back.";
    if (isJson) write(`${JSON.stringify({ canRewind: false, error: problem })}\n`);
    else warn(sanitise(problem, { tabSize: 0 }));
    return 1;
  }
  if (isJson) write(`${JSON.stringify(answerOf(report))}\n`);
  else for (const line of linesOf(report)) write(`${sanitise(line, { tabSize: 0 })}\n`);
  return report.files.some(({ action }) => action === "failed") ? 1 : 0;
};
