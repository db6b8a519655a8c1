// Gives the gates of execution/ what they need of this session: tools, the decision, the person.
import type { Emit, ExecutionContext } from "../execution/context.js";
import type { ShellAnalysis } from "../permissions/bash/analysis.js";
import { loadShellAnalyser } from "../permissions/bash/index.js";
import { decide } from "../permissions/decide.js";
import { decidePath } from "../permissions/paths.js";
import { coversTool } from "../permissions/rules.js";
import type { Decision, DecisionContext, Rule } from "../permissions/types.js";
import { rulesInWorktree, type WorktreePlace, worktreeRefusal } from "../permissions/worktree.js";
import { findTool } from "../tools/index.js";
import type { AnyTool, ToolContext, ToolFacts } from "../tools/tool.js";

import { agentMode } from "./agent-thread.js";
import type { AgentThread } from "./agent-types.js";

import { auditDecision } from "./audit.js";
import { classifyCall, notePersonAllowed, noteTyped } from "./auto-mode.js";

import { hasBackgroundTasks, monitorNews, toolShells } from "./background-tasks.js";
import { threadCallHooks } from "./call-hooks.js";
import { keepFiles } from "./checkpoints.js";
import { folderHooks, taskHooks } from "./hook-events.js";
import { whileAsked } from "./hook-notices.js";
import { deferredTools } from "./later-tools.js";
import type { LoopOptions } from "./loop-options.js";
import { changeMode } from "./mode.js";
import { allRules, applyUpdates } from "./permission-state.js";
import { sandboxSettings } from "./sandbox.js";
import { childEnv, resultsDir, type Session, tmpDirOf, workingDirs } from "./session.js";
import { toolReach } from "./tool-reach.js";
import { toolSpec } from "./tool-spec.js";
import { threadEnv, worktreeOf, worktreeReach } from "./worktrees.js";

const keptDenials = 30; // what /permissions shows; the audit has all

/** Everything the decision needs of the session, as values. */
export const decisionContext = (session: Session, thread?: AgentThread): DecisionContext => ({
  mode: thread ? agentMode(session, thread) : session.mode,
  rules: rulesOf(session, worktreeOf(session, thread)),
  cwd: thread?.cwd ?? session.cwd,
  workingDirs: foldersOf(session, thread),
  projectRoot: session.projectRoot,
  home: session.places.home,
  configDir: session.places.configDir,
  planPath: session.planPath,
  freeWriteDirs: [],
  freeReadDirs: [resultsDir(session), tmpDirOf(session)],
  platform: process.platform,
  sandbox: sandboxFacts(session),
});

const rulesOf = (session: Session, worktree: WorktreePlace | undefined): Rule[] =>
  worktree ? rulesInWorktree(allRules(session), worktree) : allRules(session);

/** Working folders of a thread: the worktree it is in comes first. */
const foldersOf = (session: Session, thread?: AgentThread): string[] => {
  const worktree = worktreeOf(session, thread);
  return worktree ? [worktree.path, ...workingDirs(session)] : workingDirs(session);
};

/** What an agent that only looks may not do, whatever the rules say. */
const readOnlyRefusal = (
  tool: AnyTool,
  input: Record<string, unknown>,
  { definition }: AgentThread,
): Decision | undefined =>
  definition.isReadOnly && !tool.isReadOnly(input)
    ? {
        outcome: "deny",
        reasons: [{ kind: "tool", text: `${definition.name} only looks, and this call may change something` }],
        suggestions: [],
        checks: [],
      }
    : undefined;

const sandboxFacts = (session: Session): DecisionContext["sandbox"] => {
  if (!session.sandbox) return undefined;
  const { enabled, autoAllowBashIfSandboxed, allowUnsandboxedCommands, excludedCommands } = sandboxSettings(session);
  return {
    takesAll: enabled === true,
    autoAllows: autoAllowBashIfSandboxed !== false,
    mayLeave: allowUnsandboxedCommands !== false,
    excluded: excludedCommands ?? [],
  };
};

/** A rule that wants the sandbox where there is none for this call makes it ask. */
const withoutSandbox = (found: Decision, isThere: boolean): Decision =>
  found.outcome !== "sandbox" || (isThere && found.isConfined)
    ? found
    : {
        ...found,
        outcome: "ask",
        isForPerson: true,
        reasons: [
          ...found.reasons,
          { kind: "sandbox", text: "the sandbox that the rule wants is not available for it" },
        ],
      };

/** The decision about a call, with the shell analysed first where there is a command. */
export const decideCall = async (
  session: Session,
  tool: AnyTool,
  input: Record<string, unknown>,
  facts: ToolFacts | undefined,
  thread?: AgentThread,
): Promise<Decision> => {
  const refused = thread && readOnlyRefusal(tool, input, thread);
  if (refused) return refused;
  const known = decisionContext(session, thread);
  const context = { ...known, cwd: facts?.cwd ?? known.cwd }; // judged for the folder the command will run in
  const request = { tool: tool.name, input, facts, isReadOnly: tool.isReadOnly(input) };
  const isThere = session.sandbox !== undefined;
  const worktree = worktreeOf(session, thread);
  const judged = (shell?: ShellAnalysis): Decision =>
    (worktree && worktreeRefusal(request, context, worktree, shell)) ??
    withoutSandbox(decide(request, context, shell), isThere);
  if (facts?.command === undefined) return judged();
  await session.loginEnvRead;
  await session.hooks.envRead;
  const analyse = await loadShellAnalyser();
  return judged(analyse(facts.command, { ...context, env: threadEnv(session, thread) }));
};

/** The decision about a shell command that nobody runs: for /permissions test. */
export const decideCommand = async (session: Session, command: string): Promise<Decision> => {
  const context = decisionContext(session);
  const request = { tool: "Bash", input: { command }, facts: { reads: [], writes: [], command }, isReadOnly: false };
  const analyse = await loadShellAnalyser();
  return decide(request, context, analyse(command, { ...context, env: childEnv(session) }));
};

/** Which paths searches and completions may show: none that a Read deny rule covers. Undefined: there is no such rule. */
export const readFilter = (session: Session, thread?: AgentThread): ((path: string) => boolean) | undefined => {
  const context = decisionContext(session, thread);
  const rules = context.rules.filter((rule) => rule.behavior === "deny" && coversTool(rule, "Read"));
  if (rules.length === 0) return undefined;
  return (path) => decidePath("read", path, { ...context, rules }).outcome !== "deny";
};

interface CallPlace {
  toolUseId: string;
  signal: AbortSignal;
  emit: Emit;
  /** Options of the thread's loop, for calls beside the conversation; without it a call cannot ask a model. */
  loop?: () => LoopOptions;
  thread?: AgentThread;
}

/** What a call may reach. */
export const toolContext = (session: Session, { toolUseId, signal, emit, loop, thread }: CallPlace): ToolContext => ({
  runSubagent: session.subagents?.({ toolUseId, signal, emit }),
  agents: session.agents,
  get cwd() {
    return session.cwd; // earlier calls of the same answer may have moved it
  },
  setCwd: (path) => {
    folderHooks(session, session.cwd, path, emit);
    session.cwd = path;
  },
  workingDirs: foldersOf(session),
  home: session.places.home,
  get env() {
    return threadEnv(session); // at the time of the call: the login shell may have been read meanwhile
  },
  signal,
  sessionId: session.id,
  toolUseId,
  fileState: session.fileState,
  tasks: session.tasks,
  onTask: (event, task) => taskHooks(session, event, task, { emit, signal, loop, thread }),
  shell: session.shell,
  shells: hasBackgroundTasks(session) ? toolShells(session) : undefined,
  monitored: hasBackgroundTasks(session) ? monitorNews(session, toolUseId) : undefined,
  get moveToBackground() {
    return hasBackgroundTasks(session) ? session.moveSignal.signal : undefined;
  },
  mayRead: readFilter(session),
  permissionMode: session.mode,
  worktrees: worktreeReach(session),
  setPermissionMode: (mode) => {
    void changeMode(session, mode, emit);
    session.reminders.told(mode);
  },
  planPath: session.planPath,
  modeBeforePlan: session.modeBeforePlan,
  contextTokens: session.contextTokens,
  ask: session.options.isInteractive
    ? async (question) => {
        const { kind, ...rest } = question;
        const asking = session.questions.ask(kind, { ...rest, toolUseId } as never, emit, signal);
        const answer = await whileAsked(session, "A question waits for your answer", asking);
        if (!answer) throw new Error("The question was withdrawn.");
        return answer as never;
      }
    : undefined,
  deferredTools: deferredTools(session, session.shelf, session.tools),
  resultsDir: resultsDir(session),
  now: () => session.options.clock.now(),
  ...(loop ? toolReach(session, loop, signal) : {}),
});

/** The same for a subagent: its own folder, file state and mode, and nothing that steers the session. */
const agentToolContext = (session: Session, thread: AgentThread, place: CallPlace): ToolContext => ({
  ...toolContext(session, place),
  runSubagent: session.subagents?.({ ...place, parent: thread }),
  agentId: thread.id,
  workingDirs: foldersOf(session, thread),
  get env() {
    return threadEnv(session, thread);
  },
  mayRead: readFilter(session, thread),
  worktrees: worktreeReach(session, thread),
  deferredTools: deferredTools(session, thread.shelf, thread.tools),
  monitored: (news) => thread.notifications.add({ toolUseId: place.toolUseId, ...news }),
  get cwd() {
    return thread.cwd;
  },
  setCwd: (path) => {
    thread.cwd = path;
  },
  get moveToBackground() {
    return hasBackgroundTasks(session) ? session.moveSignal.signal : undefined;
  },
  fileState: thread.fileState,
  permissionMode: agentMode(session, thread),
  setPermissionMode: () => undefined,
  ask: undefined,
});

/**
 * The execution context of the main thread, or of a subagent; `loop` gives the options of its loop, for calls beside
 * the conversation.
 */
export const executionContext = (
  session: Session,
  emit: Emit,
  loop: () => LoopOptions,
  thread?: AgentThread,
): ExecutionContext => ({
  findTool: (name) => findTool(name, thread?.tools ?? session.tools),
  warmUp: async ({ name }) => {
    if (name === "Bash") await loadShellAnalyser();
  },
  get toolNames() {
    return (thread?.tools ?? session.tools).map(({ name }) => name);
  },
  toolContext: ({ id }, signal) => {
    const place = { toolUseId: id, signal, emit, loop, thread };
    return thread ? agentToolContext(session, thread, place) : toolContext(session, place);
  },
  decide: (tool, input, facts) => decideCall(session, tool, input, facts, thread),
  askPermission: session.options.isInteractive
    ? (question, signal, byHook) => {
        const description = thread && session.agents.get(thread.id)?.description;
        const agent = thread && { id: thread.id, name: thread.name, color: thread.color, description };
        const asked = { ...question, ...(agent && { agent }) };
        const message = `Permission is needed for ${question.tool}: ${question.title}`;
        return whileAsked(session, message, session.questions.ask("permission", asked, emit, signal, byHook));
      }
    : undefined,
  parentToolUseId: thread?.toolUseId,
  applyUpdates: (updates) => applyUpdates(session, updates, emit),
  get confine() {
    return session.sandbox?.confine;
  },
  classify: async (call, decision) => {
    if ((thread ? agentMode(session, thread) : session.mode) !== "auto") return undefined;
    return classifyCall(session, { call, decision, loop: loop(), emit });
  },
  onDecided: (decided) => {
    if (decided.by === "person") noteTyped(session, decided.reason);
    if (decided.by === "person" && decided.outcome === "allow") notePersonAllowed(session);
    if (decided.outcome === "allow") session.toolUses.count(decided.tool);
    auditDecision(session, decided);
  },
  unseenSchema: (tool) =>
    (thread?.shelf ?? session.shelf).unloaded().includes(tool.name) ? toolSpec(tool).input_schema : undefined,
  onDenied: (call) => {
    session.denied.push(call);
    session.recentlyDenied = [...session.recentlyDenied, call].slice(-keptDenials);
  },
  keepFiles: (call) => keepFiles(session, call, emit),
  explain: session.why.add,
  hooks: threadCallHooks(session, { emit, loop, thread, context: () => decisionContext(session, thread) }),
  now: () => session.options.clock.now(),
});
