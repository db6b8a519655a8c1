// A subagent about to run: its definition, tools, model, folder and place in the tree.
import type { AgentColor } from "../agents/colors.js";
import { type LoadedAgents, loadAgents } from "../agents/load.js";
import type { SubagentRequest } from "../agents/run.js";
import { agentToolSet } from "../agents/tool-set.js";
import { lowerMode } from "../permissions/modes.js";
import { newId } from "../protocol/ids.js";
import type { PermissionMode } from "../protocol/permission.js";
import { offlineModel } from "../providers/models.js";
import { canonicalTool } from "../settings/rule-text.js";
import { createFileState } from "../tools/shared/file-state.js";
import type { AgentThread } from "./agent-types.js";
import { agentShelf } from "./later-tools.js";
import { providerFor, resolved, sessionCredentials } from "./models.js";
import { createNotifications } from "./notifications.js";
import type { Session } from "./session.js";
import { openAgentWorktree } from "./worktrees.js";

const maxDepth = 3; // design.md section 9
const maxAtOnce = 20;

const positive = (text: string | undefined): number | undefined => {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

/** Reads the agents that can be started from disk again. */
export const readAgentTypes = (session: Session): Promise<LoadedAgents> => {
  const { options, places, trusted } = session;
  session.agentTypes = loadAgents({
    cwd: options.cwd,
    configDir: places.configDir,
    withProject: trusted || !options.isInteractive,
    sources: options.flags.settingSources,
    flag: options.flags.agents,
  });
  session.agentTypes.then(
    ({ agents }) => {
      session.agentNames = agents.map(({ name }) => name);
    },
    () => undefined, // whoever awaits it is told
  );
  return session.agentTypes;
};

/** The agents as they were read when the run began. */
export const agentTypes = (session: Session): Promise<LoadedAgents> => session.agentTypes ?? readAgentTypes(session);

/** The mode an agent works in now: the session's, or a lower one of its own. Plan mode is the lowest and never escaped. */
export const agentMode = (session: Session, { highestMode }: Pick<AgentThread, "highestMode">): PermissionMode =>
  lowerMode(session.mode, highestMode);

/** The model: environment, call, definition, parent; one that is not known or not reachable gives way to the parent's. */
const agentModel = async (
  session: Session,
  wanted: string | undefined,
  parent: Pick<AgentThread, "model" | "provider">,
): Promise<Pick<AgentThread, "model" | "provider">> => {
  const { model, provider } = parent;
  if (wanted === undefined || wanted === "inherit" || model.id === offlineModel) return { model, provider };
  const found = resolved(session, wanted);
  if (!found.known || found.id === model.id) return { model, provider };
  const credentials = await sessionCredentials(session);
  if (credentials.kind === "none" && found.id !== offlineModel) return { model, provider };
  return { model: found, provider: providerFor(session, found, credentials) };
};

/** Where it works: in a worktree of its own, or where its starter does. A text for the model when there can be no worktree. */
const placeOf = async (
  session: Session,
  isIsolated: boolean,
  name: string,
  parent: AgentThread | undefined,
): Promise<Pick<AgentThread, "cwd" | "worktree" | "ownsWorktree"> | string> => {
  const { cwd, worktree } = parent ?? session;
  if (!isIsolated) return { cwd, ...(worktree ? { worktree } : {}) };
  try {
    return { ...(await openAgentWorktree(session, cwd, name)), ownsWorktree: true };
  } catch (error) {
    return `No agent was started: isolation: worktree is not possible here. ${error instanceof Error ? error.message : String(error)}`;
  }
};

const typeList = ({ agents }: LoadedAgents): string => agents.map(({ name }) => name).join(", ");

/** A thread for the request, or why there can be none: a text for the model. */
export const createThread = async (
  session: Session,
  request: SubagentRequest,
  starter: { toolUseId: string; parent?: AgentThread },
): Promise<AgentThread | string> => {
  const { agents, options } = session;
  const atOnce = positive(options.env.CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS) ?? maxAtOnce;
  if (agents.atWork() >= atOnce)
    return `Too many agents are at work. No more than ${atOnce} may run at once: start this one when another is done.`;
  const id = `a${newId().replaceAll("-", "").slice(0, 16)}`;
  const color = agents.reserve(id); // at once: others of the same answer are being made ready, too
  let thread: AgentThread | string = "";
  try {
    thread = await threadFor(session, request, { ...starter, id, color });
    return thread;
  } finally {
    if (typeof thread === "string") agents.release(id);
  }
};

const threadFor = async (
  session: Session,
  request: SubagentRequest,
  { toolUseId, parent, id, color }: { toolUseId: string; parent?: AgentThread; id: string; color: AgentColor },
): Promise<AgentThread | string> => {
  const { env } = session.options;
  const types = await readAgentTypes(session);
  const definition = types.agents.find(({ name }) => name === request.type);
  if (!definition) return `There is no agent named ${request.type}. Agents: ${typeList(types)}.`;
  const depth = (parent?.depth ?? 0) + 1;
  const isBackground = request.isBackground || definition.isBackground;
  const { names, unknown } = agentToolSet(definition, {
    offered: session.tools.map(({ name }) => name),
    canonical: canonicalTool,
    isBackground,
    mayDelegate: depth < (positive(env.CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH) ?? maxDepth),
  });
  if (names.length === 0)
    return `The agent ${definition.name} cannot work here: none of its tools is available (${(unknown.length > 0 ? unknown : (definition.tools ?? [])).join(", ")}).`;
  const isolation = request.isolation ?? definition.isolation;
  if (isolation === "remote")
    return `The agent ${definition.name} wants isolation: remote, which does not exist here: agents run on this machine. Use isolation: worktree.`;
  const place = await placeOf(session, isolation === "worktree", request.name ?? definition.name, parent);
  if (typeof place === "string") return place;
  const tools = session.tools.filter(({ name }) => names.includes(name));
  const { highestMode } = parent ?? {};
  const wanted = env.CLAUDE_CODE_SUBAGENT_MODEL ?? request.model ?? definition.model;
  return {
    id,
    toolUseId,
    definition,
    name: request.name ?? definition.name,
    color: definition.color ?? color,
    depth,
    isBackground,
    highestMode:
      highestMode === undefined ? definition.permissionMode : lowerMode(highestMode, definition.permissionMode),
    tools,
    notifications: createNotifications(),
    shelf: agentShelf(session, tools, definition.tools?.map(canonicalTool)),
    ...place,
    fileState: createFileState(),
    ...(await agentModel(session, wanted, parent ?? session)),
  };
};
