// What the rewind picker says: its points, its choices, and the files a choice would change. Values only.
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker, RewindFile, RewindPoint, RewindReport } from "../../src/protocol/pickers.js";
import type { RewindScope } from "../../src/protocol/requests.js";
import type { ListRow } from "../ui/ListBox.js";
import type { Option } from "../ui/OptionList.js";
import { ageText } from "./session-rows.js";

export type RewindData = Extract<Picker, { kind: "rewind" }>;

/** Rows above and below the points: the conversation before /clear, and where we are. */
export const clearedId = "cleared";
export const currentId = "current";

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

const linesText = (added: number, removed: number): string => (added + removed === 0 ? "" : ` +${added} −${removed}`);

const changeText = ({ files, added, removed }: RewindPoint): string =>
  files === 0 ? "" : `${files} ${files === 1 ? "file" : "files"}${linesText(added, removed)}`;

/** One row a point, oldest first; the present one last. */
export const pointRows = ({ points, cleared, unfinished }: RewindData, now: number): ListRow[] => [
  ...(cleared ? [{ id: clearedId, label: `Before /clear: ${oneLine(cleared.title)}`, detail: "resumes it" }] : []),
  ...points.map((point) => ({
    id: point.id,
    label: point.kind === "undo" ? `Undo: ${oneLine(point.text)}` : oneLine(point.text),
    detail: [
      point.id === unfinished ? "a rewind to here was cut off" : "",
      changeText(point),
      point.at > 0 ? ageText(now - point.at) : "",
    ]
      .filter(Boolean)
      .join(" · "),
  })),
  { id: currentId, label: "(current)", isCurrent: true },
];

export interface ScopeOption extends Option {
  id: RewindScope | "never";
}

/** What can be done at a point; "code" only where files changed since. */
export const scopeOptions = (point: RewindPoint, report: RewindReport | undefined): ScopeOption[] => {
  const hasCode = point.hasCode && report !== undefined;
  const options: (ScopeOption | false)[] = [
    hasCode && point.hasConversation && { id: "both", label: "Conversation and files" },
    point.hasConversation && { id: "conversation", label: "Conversation only" },
    hasCode && { id: "code", label: "Files only" },
    point.kind === "prompt" && {
      id: "summarise_from",
      label: "Summarise from here on",
      detail: "what came before stays",
    },
    point.kind === "prompt" && { id: "summarise_up_to", label: "Summarise up to here", detail: "what follows stays" },
    { id: "never", label: "Never mind" },
  ];
  return options.filter((option) => option !== false);
};

/** Where the choice begins: at one that changes no file, so that a hasty Enter does no harm (F194). */
export const firstChoice = (options: readonly ScopeOption[]): number => {
  const at = options.findIndex(({ id }) => id === "conversation");
  return at < 0 ? options.length - 1 : at;
};

const verbs: Record<RewindFile["action"], string> = {
  restore: "changes back",
  create: "comes back",
  remove: "is removed",
  kept: "stays",
  lost: "cannot come back",
  failed: "failed",
};

/** A path as it is said in the folder. */
const within = (path: string, cwd: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);

/** One row a file, what would happen first, what would not last; then what is not known. */
export const fileRows = (
  { files, unknown }: RewindReport,
  { takesConflicts, cwd }: { takesConflicts: boolean; cwd: string },
): string[] => {
  const isDone = ({ action, mayForce }: RewindFile): boolean =>
    action === "restore" || action === "create" || action === "remove" || (takesConflicts && mayForce === true);
  const row = (file: RewindFile): string => {
    const done = isDone(file);
    const verb = done && file.action === "kept" ? "is overwritten" : verbs[file.action];
    const why = file.reason && (!done || file.action === "kept") ? `: ${oneLine(file.reason)}` : "";
    const by = done && file.by.includes("Bash") ? " (by a command)" : "";
    return `${done ? "●" : "○"} ${oneLine(within(file.path, cwd))} ${verb}${done ? linesText(file.added, file.removed) : ""}${by}${why}`;
  };
  const sorted = [...files].sort((a, b) => Number(isDone(b)) - Number(isDone(a)));
  return [...sorted.map(row), ...unknown.map((sentence) => `○ ${oneLine(sentence)}`)];
};

/** Files that somebody else changed and that can be had all the same. */
export const conflictCount = ({ files }: RewindReport): number =>
  files.filter(({ mayForce }) => mayForce === true).length;
