// Paths for what the person is typing behind "@" or in a shell command. Listing and searching never hold up a key.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Emit } from "../execution/context.js";
import { agentEntry } from "../lib/agent-mention.js";
import { searchPaths } from "../lib/path-search.js";
import { listFiles } from "../platform/list-files.js";
import { expandPath } from "../platform/paths.js";
import type { RequestOf } from "../protocol/requests.js";
import { agentTypes } from "./agent-thread.js";
import { readFilter } from "./execution-context.js";
import { childEnv, type Session } from "./session.js";

const maxRows = 30; // more is not read: typing on is quicker
const maxResources = 10; // the rest of the rows is for files
const maxFiles = 500_000;
const staleMs = 30_000; // a list older than this is made anew beside the old one
const refineMs = 250; // between two searches while files are still being listed

/** The files of one folder: listed in the background, kept, made anew when they are old. */
interface FileIndex {
  folder: string;
  paths: readonly string[];
  isComplete: boolean;
  listedAt: number;
  listing?: Promise<void>;
}

const indexes = new WeakMap<Session, FileIndex>();
const searches = new WeakMap<Session, AbortController>();

/** Adds the folders that a path lies in, each once, in front of it. */
const withFolders = (paths: readonly string[], known: Set<string>): string[] => {
  const all: string[] = [];
  for (const path of paths) {
    const added: string[] = [];
    for (let folder = dirname(path); folder !== "." && !known.has(folder); folder = dirname(folder)) {
      known.add(folder);
      added.push(`${folder}/`);
    }
    all.push(...added.reverse(), path);
  }
  return all;
};

const list = async (session: Session, index: FileIndex): Promise<void> => {
  const paths: string[] = [];
  const folders = new Set<string>();
  if (!index.isComplete) index.paths = paths; // the first listing shows what it has so far
  await listFiles({
    cwd: index.folder,
    env: childEnv(session),
    signal: session.closing.signal,
    limit: maxFiles,
    onPaths: (names) => {
      for (const path of withFolders(names, folders)) paths.push(path);
    },
  });
  Object.assign(index, { paths, isComplete: true, listedAt: session.options.clock.now(), listing: undefined });
};

/** The index of the session's folder, being listed if it is new or old. */
const indexOf = (session: Session): FileIndex => {
  const known = indexes.get(session);
  const index: FileIndex =
    known?.folder === session.cwd ? known : { folder: session.cwd, paths: [], isComplete: false, listedAt: 0 };
  indexes.set(session, index);
  const isOld = session.options.clock.now() - index.listedAt > staleMs;
  if (!index.listing && (isOld || !index.isComplete)) index.listing = list(session, index);
  return index;
};

/** Entries of the folder that a query names, as the person would write them. */
const entries = async (session: Session, query: string, ofShell: boolean): Promise<string[]> => {
  const written = query.slice(0, query.lastIndexOf("/") + 1);
  const start = query.slice(written.length).toLowerCase();
  const folder = expandPath(written === "" ? "." : written, session.cwd, session.places.home);
  const accept = readFilter(session);
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []); // no such folder: nothing fits
  return found
    .filter(({ name }) => name.toLowerCase().startsWith(start) && (start !== "" || !name.startsWith(".")))
    .filter(({ name }) => ofShell || !accept || accept(join(folder, name)))
    .map((entry) => `${written}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort((a, b) => Number(b.endsWith("/")) - Number(a.endsWith("/")) || (a < b ? -1 : 1))
    .slice(0, maxRows);
};

/** Resources of MCP servers whose name or address fits, as they would be mentioned. */
const resourcesLike = ({ mcp }: Session, query: string): string[] => {
  if (!mcp) return [];
  const word = query.toLowerCase();
  return mcp.servers
    .resources()
    .map(({ server, uri }) => `${server}:${uri}`)
    .filter((mention) => mention.toLowerCase().includes(word) && !/\s/.test(mention))
    .slice(0, maxResources);
};

const isPlace = (query: string): boolean => /^(\/|~|\.\.?\/)/.test(query) || query === "";

const shownAgents = 5; // beside the files

/** Agents whose names fit, as entries of the list; none where there is no Agent tool. */
const agentEntries = async (session: Session, query: string): Promise<string[]> => {
  if (!session.tools.some(({ name }) => name === "Agent")) return [];
  const { agents } = await agentTypes(session);
  const word = query.toLowerCase().replace(/^agent(?:-|$)/, "");
  const fits = (name: string): boolean =>
    name.startsWith(word) || (word.length > 2 && (name.includes(word) || agentEntry(name).startsWith(word)));
  return agents
    .map(({ name }) => name)
    .filter((name) => fits(name.toLowerCase()))
    .sort((a, b) => Number(b.toLowerCase().startsWith(word)) - Number(a.toLowerCase().startsWith(word)))
    .slice(0, shownAgents)
    .map(agentEntry);
};

/** Agents come first where the name begins as it is typed, else behind the files. */
const together = (paths: readonly string[], agents: readonly string[], query: string): string[] => {
  const word = query.toLowerCase().replace(/^agent-/, "");
  const isNamed = (entry: string) => query !== "" && entry.toLowerCase().startsWith(word);
  return [...agents.filter(isNamed), ...paths.slice(0, maxRows - agents.length), ...agents.filter((a) => !isNamed(a))];
};

/** Answers one request; ends early when the next one comes. */
export const completePath = async (
  session: Session,
  { id, query, of }: RequestOf<"complete_path">,
  emit: Emit,
): Promise<void> => {
  searches.get(session)?.abort();
  const search = new AbortController();
  searches.set(session, search);
  const { signal } = search;
  const agents = of === "mention" ? await agentEntries(session, query).catch(() => []) : []; // a broken --agents was told
  const tell = async (found: string[], isComplete: boolean): Promise<void> => {
    const resources = of === "mention" ? resourcesLike(session, query) : [];
    const paths = [...resources, ...together(found, agents, query)];
    if (!signal.aborted) await emit({ type: "completions", id, query, paths, isComplete });
  };
  if (of === "shell" || isPlace(query)) return tell(await entries(session, query, of === "shell"), true);
  const index = indexOf(session);
  const accept = readFilter(session);
  while (!signal.aborted && !session.closing.signal.aborted) {
    const { isComplete, listing } = index;
    const found = await searchPaths(index.paths, { word: query, limit: maxRows * 2, signal });
    if (!found) return;
    const shown = accept ? found.filter((path) => accept(join(index.folder, path))) : found;
    if (shown.length > 0 || isComplete) await tell(shown.slice(0, maxRows), isComplete);
    if (isComplete || !listing) return;
    await Promise.race([listing, new Promise((resolve) => setTimeout(resolve, refineMs).unref())]);
  }
};
