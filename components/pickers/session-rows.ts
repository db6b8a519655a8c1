// The rows of the session picker: searched, filtered by branch, copies gathered under their newest. Pure.
import { sanitise } from "../../src/lib/sanitise.js";
import type { SessionRow } from "../../src/protocol/pickers.js";

export interface ShownRow {
  row: SessionRow;
  /** It stands below another of its group. */
  isInner: boolean;
  /** Other conversations that grew out of the same one and are not shown on their own. */
  hidden: number;
  /** Id of its group when it has company. */
  group?: string;
}

export interface ShownHow {
  search: string;
  /** Only sessions of this branch. */
  branch?: string | undefined;
  /** Groups that are shown whole. */
  expanded: ReadonlySet<string>;
}

/** Age of a session in the words of a person: "just now", "5 min", "3 h", "2 d". */
export const ageText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
};

export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;

const haystacks = new WeakMap<SessionRow, string>();

/** What a search looks through; made once a row, since every key searches thousands of them. */
const haystack = (row: SessionRow): string => {
  const known = haystacks.get(row);
  if (known !== undefined) return known;
  const { title, firstPrompt = "", lastPrompt = "", branch = "", cwd, sessionId } = row;
  const text = [title, firstPrompt, lastPrompt, branch, cwd, sessionId].join("\n").toLowerCase();
  haystacks.set(row, text);
  return text;
};

/** Sessions in whose title, first or last prompt, branch, folder or id each word of the search occurs. */
export const findSessions = (sessions: readonly SessionRow[], search: string): readonly SessionRow[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sessions;
  return sessions.filter((row) => {
    const text = haystack(row);
    return words.every((word) => text.includes(word));
  });
};

/** Id of the oldest session known of those that each row was copied from. */
const rootsOf = (sessions: readonly SessionRow[]): ((row: SessionRow) => string) => {
  const byId = new Map(sessions.map((row) => [row.sessionId, row]));
  return (row) => {
    const seen = new Set<string>();
    let at = row;
    while (at.forkOf !== undefined && !seen.has(at.sessionId)) {
      seen.add(at.sessionId);
      const parent = byId.get(at.forkOf);
      if (parent === undefined) return at.forkOf; // the original is gone: its copies still belong together
      at = parent;
    }
    return at.sessionId;
  };
};

/** The rows to show. While something is searched, every match stands on its own. */
export const shownRows = (sessions: readonly SessionRow[], { search, branch, expanded }: ShownHow): ShownRow[] => {
  const found = findSessions(sessions, search).filter((row) => branch === undefined || row.branch === branch);
  if (search.trim() !== "") return found.map((row) => ({ row, isInner: false, hidden: 0 }));
  const rootOf = rootsOf(sessions);
  const groups = new Map<string, SessionRow[]>();
  for (const row of found) {
    const root = rootOf(row);
    const group = groups.get(root);
    if (group) group.push(row);
    else groups.set(root, [row]);
  }
  return [...groups].flatMap(([group, rows]) => {
    const isOpen = expanded.has(group);
    const shown = isOpen ? rows : rows.slice(0, 1);
    return shown.map((row, at) => ({
      row,
      isInner: at > 0,
      hidden: at === 0 && !isOpen ? rows.length - 1 : 0,
      ...(rows.length > 1 ? { group } : {}),
    }));
  });
};

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

/** What a row is called on the screen. */
export const rowLabel = ({ row, isInner, hidden }: ShownRow): string => {
  const title = oneLine(row.title === "" ? (row.lastPrompt ?? row.sessionId) : row.title);
  const more = hidden === 0 ? "" : ` (+${hidden} ${hidden === 1 ? "branch" : "branches"} →)`;
  return `${isInner ? "└ " : ""}${title}${more}`;
};

/** The dim words at its end. */
export const rowDetail = ({ row }: ShownRow, now: number, hasFolders: boolean): string => {
  const folder = hasFolders ? oneLine(row.cwd.slice(row.cwd.lastIndexOf("/") + 1)) : "";
  const state = row.problem === undefined ? (row.openIn === undefined ? "" : "open now") : "damaged";
  const size = row.bytes < 0 ? "" : sizeText(row.bytes);
  return [state, folder, ageText(now - row.updatedAt), row.branch ? oneLine(row.branch) : "", size]
    .filter(Boolean)
    .join(" · ");
};

/** What Space tells of a session, a line each. */
export const previewOf = (row: SessionRow): string[] =>
  [
    row.problem === undefined ? "" : `damaged: ${row.problem}`,
    row.cwd,
    [`${row.messages} messages`, row.bytes < 0 ? "" : sizeText(row.bytes), row.sessionId].filter(Boolean).join(", "),
    row.openIn === undefined ? "" : `open in process ${row.openIn}: resuming makes a copy`,
    row.forkOf === undefined ? "" : `a branch of ${row.forkOf}`,
    row.firstPrompt ? `first: ${row.firstPrompt}` : "",
    row.lastPrompt ? `last: ${row.lastPrompt}` : "",
    row.command ? `elsewhere: ${row.command}` : "",
  ]
    .filter(Boolean)
    .map(oneLine);
