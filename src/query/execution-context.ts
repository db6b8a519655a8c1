// Gives the gates of execution/ what they need of this session: tools, the decision, the person.
import type { Emit, ExecutionContext } from "../execution/context.js";
import { loadShellAnalyser } from "../permissions/bash/index.js";
import { decide } from "../permissions/decide.js";
import { decidePath } from "../permissions/paths.js";
import { coversTool } from "../permissions/rules.js";
import type { Decision, DecisionContext } from "../permissions/types.js";
import type { AnyTool, ToolContext, ToolFacts } from "../tools/tool.js";
import { hasBackgroundTasks, toolShells } from "./background-tasks.js";
import type { LoopOptions } from "./loop-options.js";
import { changeMode } from "./mode.js";
import { allRules, applyUpdates } from "./permission-state.js";
import { childEnv, resultsDir, type Session, tmpDirOf, workingDirs } from "./session.js";
import { toolReach } from "./tool-reach.js";

/** Everything the decision needs of the session, as values. */
export const decisionContext = (session: Session): DecisionContext => ({
  mode: session.mode,
  rules: allRules(session),
  cwd: session.cwd,
  workingDirs: workingDirs(session),
  projectRoot: session.projectRoot,
  home: session.places.home,
  configDir: session.places.configDir,
  planPath: session.planPath,
  freeWriteDirs: [],
  freeReadDirs: [resultsDir(session), tmpDirOf(session)],
  platform: process.platform,
});

/** The decision about a call, with the shell analysed first where there is a command. */
export const decideCall = async (
  session: Session,
  tool: AnyTool,
  input: Record<string, unknown>,
  facts: ToolFacts | undefined,
): Promise<Decision> => {
  const context = decisionContext(session);
  const request = { tool: tool.name, input, facts, isReadOnly: tool.isReadOnly(input) };
  if (facts?.command === undefined) return decide(request, context);
  await session.loginEnvRead;
  const analyse = await loadShellAnalyser();
  return decide(request, context, analyse(facts.command, { ...context, env: childEnv(session) }));
};

/** Which paths searches and completions may show: none that a Read deny rule covers. Undefined: there is no such rule. */
export const readFilter = (session: Session): ((path: string) => boolean) | undefined => {
  const context = decisionContext(session);
  const rules = context.rules.filter((rule) => rule.behavior === "deny" && coversTool(rule, "Read"));
  if (rules.length === 0) return undefined;
  return (path) => decidePath("read", path, { ...context, rules }).outcome !== "deny";
};

/** What a call may reach. Without `loop` it cannot ask a model beside the conversation. */
export const toolContext = (
  session: Session,
  toolUseId: string,
  signal: AbortSignal,
  emit: Emit,
  loop?: () => LoopOptions,
): ToolContext => ({
  cwd: session.cwd,
  setCwd: (path) => {
    session.cwd = path;
  },
  workingDirs: workingDirs(session),
  home: session.places.home,
  get env() {
    return childEnv(session); // at the time of the call: the login shell may have been read meanwhile
  },
  signal,
  sessionId: session.id,
  toolUseId,
  fileState: session.fileState,
  tasks: session.tasks,
  shell: session.shell,
  shells: hasBackgroundTasks(session) ? toolShells(session) : undefined,
  get moveToBackground() {
    return hasBackgroundTasks(session) ? session.moveSignal.signal : undefined;
  },
  mayRead: readFilter(session),
  permissionMode: session.mode,
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
        const answer = await session.questions.ask(kind, { ...rest, toolUseId } as never, emit, signal);
        if (!answer) throw new Error("The question was withdrawn.");
        return answer as never;
      }
    : undefined,
  resultsDir: resultsDir(session),
  now: () => session.options.clock.now(),
  ...(loop ? toolReach(session, loop, signal) : {}),
});

/** The execution context of the main thread; `loop` gives the options of its loop, for calls beside the conversation. */
export const executionContext = (session: Session, emit: Emit, loop: () => LoopOptions): ExecutionContext => ({
  findTool: (name) => session.tools.find((tool) => tool.name === name || tool.aliases.includes(name)),
  toolNames: session.tools.map(({ name }) => name),
  toolContext: ({ id }, signal) => toolContext(session, id, signal, emit, loop),
  decide: (tool, input, facts) => decideCall(session, tool, input, facts),
  askPermission: session.options.isInteractive
    ? (question, signal) => session.questions.ask("permission", question, emit, signal)
    : undefined,
  applyUpdates: (updates) => applyUpdates(session, updates, emit),
  onDenied: (call) => {
    session.denied.push(call);
  },
  now: () => session.options.clock.now(),
});
