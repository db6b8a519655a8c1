// Which tools this session offers the model, in a stable order, and their specifications on the wire.
import { loadedShellAnalyser } from "../permissions/bash/index.js";
import { decide } from "../permissions/decide.js";
import { readToolUsage } from "../settings/tool-usage.js";
import { createTools, findTool } from "../tools/index.js";
import type { AnyTool } from "../tools/tool.js";
import { hasBackgroundTasks } from "./background-tasks.js";
import { decisionContext } from "./execution-context.js";
import { fillShelf, isDeniedTool, offersToolSearch } from "./later-tools.js";
import { sandboxSettings } from "./sandbox.js";
import { childEnv, type Session } from "./session.js";

const onlyWithoutTasks = "TodoWrite"; // offered where Task* is off or named in a list (design.md section 4)

const wanted = (session: Session): ((tool: AnyTool) => boolean) => {
  const { tools } = session.options.flags;
  const usesTasks = session.options.env.CLAUDE_CODE_ENABLE_TASKS !== "0";
  if (tools === undefined || (tools.length === 1 && tools[0] === "default"))
    return ({ name }) => (usesTasks ? name !== onlyWithoutTasks : !/^Task(Create|Get|List|Update)$/.test(name));
  const names = new Set(tools.map((name) => findTool(name)?.name ?? name));
  return ({ name }) => names.has(name);
};

/** Whether a command only reads, whatever the rules say. No until the shell analysis is loaded, and for what moves the folder. */
const readOnlyCommand = (session: Session) => {
  return (command: string): boolean => {
    const analyse = loadedShellAnalyser(); // loaded with the session's first command
    if (!analyse || /\b(cd|pushd|popd)\b/.test(command)) return false;
    const context = { ...decisionContext(session), rules: [], mode: "default" as const };
    const request = { tool: "Bash", input: { command }, facts: { reads: [], writes: [], command }, isReadOnly: false };
    return decide(request, context, analyse(command, { ...context, env: childEnv(session) })).outcome === "allow";
  };
};

/** Sets the session's tools. Call once, when settings and flags are known: the array is part of the cache prefix. */
export const offerTools = async (session: Session): Promise<void> => {
  session.toolUsage = await readToolUsage(session.places.state);
  const isWanted = wanted(session);
  const all = createTools({
    isReadOnlyCommand: readOnlyCommand(session),
    userAgent: `claude-terminal-agent/${session.options.version}`,
    hasBackground: hasBackgroundTasks(session),
    hasToolSearch: offersToolSearch(session),
    hasSandbox: session.sandbox !== undefined && sandboxSettings(session).enabled === true,
  });
  session.tools = all.filter(
    (tool) => isWanted(tool) && !isDeniedTool(session, tool) && (session.options.isInteractive || !tool.needsPerson),
  );
  fillShelf(session);
};
