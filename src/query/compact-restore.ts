// What a compaction puts back, gathered from disk and from the session's state.
import { readFile, stat } from "node:fs/promises";
import type { AgentTask } from "../agents/background.js";
import { filesRestored } from "../context/numbers.js";
import { type NamedText, restoredText } from "../context/restore.js";
import type { Session } from "./session.js";

const largestFile = 2_000_000; // larger ones are not worth reading for 5,000 tokens of them

/** A text file as it is now; undefined when it is gone, too large or no text. */
const readText = async (path: string): Promise<NamedText | undefined> => {
  try {
    if ((await stat(path)).size > largestFile) return undefined;
    const text = await readFile(path, "utf8");
    return text === "" || text.includes("\0") || text.includes("\uFFFD") ? undefined : { name: path, text };
  } catch {
    return undefined; // deleted or unreadable since: nothing to put back
  }
};

const isThere = (file: NamedText | undefined): file is NamedText => file !== undefined;

/** Files the model read last, newest first; the plan is put back on its own. */
const lastReadFiles = async ({ fileState, planPath }: Session): Promise<NamedText[]> => {
  const paths = fileState
    .entries()
    .map(([path]) => path)
    .filter((path) => path !== planPath)
    .toReversed();
  const found: NamedText[] = [];
  for (const path of paths) {
    if (found.length === filesRestored) break;
    const file = await readText(path);
    if (isThere(file)) found.push(file);
  }
  return found;
};

const shownAgents = 20;

const agentLine = ({ name, id, description, status, outputFile }: AgentTask): string =>
  `${name} (${id}), ${description}: ${status}${outputFile ? `, report in ${outputFile}` : ""}`;

/** The reminder behind the summary; undefined when there is nothing to put back. */
export const restored = async (session: Session): Promise<string | undefined> => {
  const [files, plan, todos] = await Promise.all([
    lastReadFiles(session),
    readText(session.planPath),
    session.tasks.todos(),
  ]);
  const agents = session.agents
    .list()
    .filter(({ status, isBackground }) => isBackground || status === "running")
    .map(agentLine);
  return restoredText({
    loadedTools: session.shelf.loaded(),
    files,
    todos,
    agents: agents.slice(-shownAgents),
    ...(plan ? { plan } : {}),
  });
};
