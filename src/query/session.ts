// A session's state: one object that lives from open to close. Only the files of query/ change it.
import { join } from "node:path";
import { type AgentTasks, createAgentTasks } from "../agents/background.js";
import type { LoadedAgents } from "../agents/load.js";
import type { RunSubagent } from "../agents/run.js";
import { compactAt, noCompactions } from "../context/autocompact.js";
import { planName } from "../lib/plan-name.js";
import type { Rule } from "../permissions/types.js";
import { configDir, homeDir, projectDir, sessionTmpDir, stateFile } from "../platform/paths.js";
import type { ShellRunner } from "../platform/shell.js";
import type { Worktree } from "../platform/worktrees/worktree.js";
import type { OutputStyle } from "../prompt/styles.js";
import type { EngineEvent, SessionInfo } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import type { ImageBlock, Message, Usage } from "../protocol/messages.js";
import type { PermissionMode } from "../protocol/permission.js";
import type { PastedText } from "../protocol/requests.js";
import type { ModelInfo } from "../providers/models.js";
import type { Provider, SystemBlock } from "../providers/provider.js";
import type { Sandbox, SandboxState } from "../sandbox/run.js";
import type { SessionLock } from "../sessions/lock.js";
import type { Registration } from "../sessions/registry.js";
import type { TranscriptWriter } from "../sessions/transcript.js";
import type { LoadedSettings } from "../settings/load.js";
import type { FolderHook } from "../settings/new-hooks.js";
import type { StateFile } from "../settings/state-file.js";
import type { ToolUsage, UsageCounter } from "../settings/tool-usage.js";
import type { TaskList } from "../tasks/list.js";
import type { BackgroundShells } from "../tasks/shells.js";
import type { FileState } from "../tools/shared/file-state.js";
import { createFileState } from "../tools/shared/file-state.js";
import type { AnyTool } from "../tools/tool.js";
import type { AgentThread, Starter } from "./agent-types.js";
import { autoCompactSettings } from "./auto-compact-settings.js";
import { type BackOff, createBackOff } from "./back-off.js";
import { type CheckpointHolder, createCheckpointHolder } from "./checkpoint-holder.js";
import { type ContextHolder, createContextHolder, forgetShrinks } from "./context-holder.js";
import type { CostTracker } from "./cost-tracker.js";
import type { EngineOptions } from "./engine-options.js";
import { createHookState, type HookState } from "./hook-state.js";
import { interfaceInForce } from "./interface-settings.js";
import { type SessionMcp, serverInfos } from "./mcp-info.js";
import { createNotifications, type Notifications } from "./notifications.js";
import { createQuestionBook, type QuestionBook } from "./questions.js";
import { createRecordIndex, type RecordIndex } from "./record-index.js";
import { createModeReminders, type ModeReminders } from "./reminders.js";
import { createShelf, type ToolShelf } from "./tool-shelf.js";
import type { WhyLog } from "./why-log.js";

export interface DeniedCall {
  tool: string;
  toolUseId: string;
  input: Record<string, unknown>;
  title: string;
  reason: string;
}

export interface QueuedInput {
  uuid: string;
  text: string;
  shown: string;
  images?: ImageBlock[];
  /** The text is a command for the shell. */
  isShell?: boolean;
}

/** Where the session's files are. */
export interface SessionPlaces {
  home: string;
  configDir: string;
  projectDir: string;
  state: StateFile;
  historyFile: string;
}

export interface Session {
  readonly options: EngineOptions;
  readonly places: SessionPlaces;
  readonly questions: QuestionBook;
  readonly listeners: Set<(event: EngineEvent) => void>;
  id: string;
  title?: string;
  /** Who gave the title. A person's is kept through /clear and never replaced by a model's. */
  titleBy?: "person" | "model";
  /** A model was asked for a title, or none is wanted: it is not asked again. */
  isTitleSettled?: boolean;
  startedAt: number;
  trusted: boolean;
  /** The offline tour was chosen at the start question. */
  startsTour?: boolean;
  /** Working folder now; the start folder is `options.cwd`. */
  cwd: string;
  /** The git worktree the main thread works in since EnterWorktree, and the folder it came from. */
  worktree?: Worktree;
  cwdBefore?: string;
  projectRoot: string;
  gitBranch?: string;
  settings: LoadedSettings;
  mode: PermissionMode;
  modeBeforePlan: PermissionMode;
  canBypass: boolean;
  /** What the person wrote in this conversation, oldest first. */
  typed: string[];
  /** What the classifier of the auto mode blocked since the mode was entered. */
  auto: { blocksInRow: number; blocksInAll: number };
  sessionRules: Rule[];
  sessionDirs: string[];
  planPath: string;
  /** The plan file was there when the run began. */
  planExists: boolean;
  /** Keys of the folder's hooks that may run: those of the start and those a person confirmed since. Unset while opening. */
  knownHooks?: Set<string>;
  /** Hooks of the folder's files that appeared later and are not in force. */
  newHooks: FolderHook[];
  /** Keys of new hooks that were asked about. */
  refusedHooks: Set<string>;
  /** What is kept between the calls of hooks. */
  hooks: HookState;
  /** Set on the session as a subagent has it: hooks are told whose they are. */
  thread?: AgentThread;
  /** Reads the settings files again (after a write or a change of trust). */
  reloadSettings(): Promise<void>;
  provider: Provider;
  model: ModelInfo;
  apiKeySource: string;
  /** Headless without credentials: why no prompt can be answered. */
  credentialProblem?: string;
  tools: AnyTool[];
  /** What of them the model sees, in full or by name. */
  shelf: ToolShelf;
  /** How often tools were used before this session. */
  toolUsage: ToolUsage;
  /** Counts what is used now. */
  toolUses: UsageCounter;
  /** The output style of this conversation; undefined before its first prompt. */
  style?: OutputStyle;
  /** Built at the first request; dropped when what it says changes (model, folder). */
  system?: SystemBlock[];
  messages: Message[];
  /** The first reminder (instructions, date, git) is in `messages`. */
  hasBackground: boolean;
  reminders: ModeReminders;
  fileState: FileState;
  tasks: TaskList;
  shell: ShellRunner;
  /** Set while settings or rules want a sandbox and it works here. */
  sandbox?: Sandbox;
  /** Whether it works here; looked up once. */
  sandboxState?: Promise<SandboxState>;
  /** Commands in the background. */
  shells: BackgroundShells;
  /** Aborted to move what runs in the foreground to the background; a new one follows. */
  moveSignal: AbortController;
  transcript?: TranscriptWriter;
  lock?: SessionLock;
  /** Its entry among the running sessions. */
  live?: Registration;
  /** The folder of the sessions cannot be written: nothing is kept. */
  isUnkept?: boolean;
  /** What went wrong with the record and was not told yet. */
  recordWarnings: string[];
  /** Refused in the newest run. */
  denied: DeniedCall[];
  /** Refused in this conversation, oldest first; the newest few, for /permissions. */
  recentlyDenied: DeniedCall[];
  costs: CostTracker;
  contextTokens: number;
  /** What the newest answer used. */
  lastUsage?: Usage;
  context: ContextHolder;
  records: RecordIndex;
  /** Kept states of files, for /rewind. */
  checkpoints: CheckpointHolder;
  /** The conversation that /clear left. */
  cleared?: { sessionId: string; title: string };
  /** Messages up to here came with the last compaction. */
  compactedUntil: number;
  /** What the person asked for last: kept word for word through compactions. */
  lastRequest?: string;
  /** Session memory: what a compaction may use as its summary, the newest message it covers, and the context's size then. */
  notes?: { text: string; covered: Message; tokens: number };
  /** Settles when the notes that are being written are on disk, or given up. */
  noting?: Promise<void>;
  /** Makes the first reminder anew after a compaction; absent: that of the session. Undefined: this thread has none. */
  background?(): Promise<string | undefined>;
  linesAdded: number;
  linesRemoved: number;
  queue: QueuedInput[];
  /** What stands in the prompt, as it was saved last. */
  draft?: { text: string; pastes: readonly PastedText[] };
  /** A draft of this process is on disk. */
  hasDraft?: boolean;
  /** Ends of background work that the model has not been told yet. */
  notifications: Notifications;
  /** Makes the function behind one Agent call. Set when the session opens. */
  subagents?: (starter: Starter) => RunSubagent;
  /** Subagents of this session, foreground and background. */
  agents: AgentTasks;
  /** Names of the agents that can be started, as they were read last. */
  agentNames?: string[];
  /** The agents that can be started; read anew at each run. */
  agentTypes?: Promise<LoadedAgents>;
  /** Spent when the run began: budgets of headless runs and --task-budget count from here. */
  spentBefore: { usd: number; tokens: number };
  /** A prompt or command is being worked on; others wait in the queue. */
  busy: boolean;
  /** Everything was interrupted: headless, no run follows that tells what ended in the background. */
  isHalted: boolean;
  /** Stops the running run; undefined when idle. */
  running?: AbortController;
  /** What was decided and why, for /why. */
  why: WhyLog;
  backOff: BackOff;
  /** Tools whose definition the API refused. */
  refusedTools: Set<string>;
  /** What the login shell adds to the environment of children; read soon after the first prompt. */
  loginEnv?: Record<string, string>;
  /** Settles when `loginEnv` is there; undefined before it is being read. */
  loginEnvRead?: Promise<void>;
  /** The MCP servers; undefined: there are none. */
  mcp?: SessionMcp;
  /** What was wrong with entries of MCP servers. */
  mcpProblems?: string[];
  /** The screen is about to be told that servers changed. */
  isTellingMcp?: boolean;
  /** Aborted when the session closes. */
  closing: AbortController;
}

/** Where everything of a session lies on disk. */
export const placesOf = ({ env, cwd }: EngineOptions): SessionPlaces => {
  const dir = configDir(env);
  return {
    home: homeDir(env),
    configDir: dir,
    projectDir: projectDir(env, cwd),
    state: { file: stateFile(env), configDir: dir },
    historyFile: join(dir, "history.jsonl"),
  };
};

export const transcriptFile = (session: Pick<Session, "places" | "id">): string =>
  join(session.places.projectDir, `${session.id}.jsonl`);

/** The transcript of a subagent. */
export const agentTranscriptFile = (session: Pick<Session, "places" | "id">, agentId: string): string =>
  join(session.places.projectDir, session.id, "subagents", `agent-${agentId}.jsonl`);

/** Folder of results that were too large for the context. */
export const resultsDir = (session: Pick<Session, "places" | "id">): string =>
  join(session.places.projectDir, session.id, "tool-results");

export const tmpDirOf = (session: Session): string =>
  sessionTmpDir(session.options.env, session.options.cwd, session.id);

/** A plan file that does not exist yet, in the plans folder. */
export const newPlanPath = (session: Pick<Session, "places" | "settings" | "options" | "projectRoot">): string => {
  const folder = session.settings.get("plansDirectory");
  const base = typeof folder === "string" ? join(session.projectRoot, folder) : join(session.places.configDir, "plans");
  const { random } = session.options;
  return join(base, `${planName(random(), random())}-${newId().slice(0, 4)}.md`);
};

/** Forgets the conversation: a new id, empty context. What is on disk stays. */
export const startOver = (session: Session, id: string): void => {
  session.transcript?.sync();
  session.lock?.release();
  session.lock = undefined;
  session.id = id;
  session.messages = [];
  session.hasBackground = false;
  session.reminders.reset();
  session.fileState = createFileState();
  session.contextTokens = 0;
  session.lastUsage = undefined;
  session.shelf.forget(session.shelf.hasRefusedReferences);
  forgetShrinks(session.context, "another conversation began");
  session.context.compactions = noCompactions;
  session.lastRequest = undefined;
  session.records = createRecordIndex();
  session.checkpoints = createCheckpointHolder();
  session.compactedUntil = 0;
  session.notes = undefined;
  session.denied = [];
  session.recentlyDenied = [];
  session.typed = [];
  session.hooks.contexts = [];
  session.hooks.promptId = undefined;
  session.hooks.env = undefined;
  session.notifications.take(); // they belong to the conversation that ends here
  session.transcript = undefined;
};

/** Parts every session starts with. */
export const emptyConversation = () => ({
  questions: createQuestionBook(),
  listeners: new Set<(event: EngineEvent) => void>(),
  messages: [] as Message[],
  hasBackground: false,
  reminders: createModeReminders(),
  fileState: createFileState(),
  denied: [] as DeniedCall[],
  recentlyDenied: [] as DeniedCall[],
  typed: [] as string[],
  recordWarnings: [] as string[],
  sessionRules: [] as Rule[],
  sessionDirs: [] as string[],
  auto: { blocksInRow: 0, blocksInAll: 0 },
  newHooks: [] as FolderHook[],
  refusedHooks: new Set<string>(),
  hooks: createHookState(),
  contextTokens: 0,
  context: createContextHolder(),
  records: createRecordIndex(),
  checkpoints: createCheckpointHolder(),
  compactedUntil: 0,
  linesAdded: 0,
  linesRemoved: 0,
  moveSignal: new AbortController(),
  queue: [] as QueuedInput[],
  notifications: createNotifications(),
  agents: createAgentTasks(),
  spentBefore: { usd: 0, tokens: 0 },
  busy: false,
  isHalted: false,
  backOff: createBackOff(),
  refusedTools: new Set<string>(),
  shelf: createShelf(),
  closing: new AbortController(),
});

/** Whether no settings take the auto mode away. */
export const canAuto = ({ settings }: Pick<Session, "settings">): boolean =>
  settings.get("disableAutoMode") !== "disable" && settings.get("permissions")?.disableAutoMode !== "disable";

/** Modes Shift+Tab walks through. */
export const modeCycle = (session: Pick<Session, "canBypass" | "settings">): PermissionMode[] => [
  "default",
  "acceptEdits",
  "plan",
  ...(session.canBypass ? (["bypassPermissions"] as const) : []),
  ...(canAuto(session) ? (["auto"] as const) : []),
];

/** All folders the session may work in, the start folder first. */
export const workingDirs = (session: Session): string[] => {
  const { flags, cwd } = session.options;
  const fromSettings = session.settings.get("permissions")?.additionalDirectories ?? [];
  return [...new Set([cwd, ...(flags.addDirs ?? []), ...fromSettings, ...session.sessionDirs])];
};

/** The session as a user interface sees it. */
export const sessionInfo = (session: Session, commands: SessionInfo["commands"]): SessionInfo => ({
  sessionId: session.id,
  cwd: session.cwd,
  model: session.model.id,
  modelLabel: session.model.label,
  provider: session.provider.id,
  effort:
    session.options.flags.effort ?? session.settings.get("effortLevel") ?? session.model.defaultEffort ?? undefined,
  permissionMode: session.mode,
  modeCycle: modeCycle(session),
  tools: session.tools.map(({ name }) => name),
  agents: session.agentNames,
  commands,
  mcpServers: serverInfos(session),
  ...(session.mcpProblems?.length ? { mcpProblems: session.mcpProblems } : {}),
  gitBranch: session.gitBranch,
  trusted: session.trusted,
  version: session.options.version,
  title: session.title,
  isNamed: session.titleBy === "person" && session.title !== undefined ? true : undefined,
  apiKeySource: session.apiKeySource,
  contextWindow: session.model.contextWindow,
  compactAt: compactAt(session.model.contextWindow, autoCompactSettings(session)),
  interface: interfaceInForce(session),
});

/** Environment of child processes: the inherited one and what trusted settings add. */
export const childEnv = (session: Session) => ({
  ...session.options.env,
  ...session.loginEnv,
  ...session.settings.get("env"),
  ...session.hooks.env,
  CLAUDECODE: "1",
  CLAUDE_CODE_SESSION_ID: session.id,
  CLAUDE_CODE_ENTRYPOINT: session.options.entrypoint,
});

/** Tells everybody who listens, also while no request runs. */
export const publish = (session: Pick<Session, "listeners">, event: EngineEvent): void => {
  for (const listener of session.listeners) listener(event);
};
