// A subagent while it runs, and who starts it: shapes shared by the files of query/.
import type { AgentColor } from "../agents/colors.js";
import type { AgentDefinition } from "../agents/definition.js";
import type { Emit } from "../execution/context.js";
import type { Worktree } from "../platform/worktrees/worktree.js";
import type { PermissionMode } from "../protocol/permission.js";
import type { ModelInfo } from "../providers/models.js";
import type { Provider } from "../providers/provider.js";
import type { FileState } from "../tools/shared/file-state.js";
import type { AnyTool } from "../tools/tool.js";
import type { Notifications } from "./notifications.js";
import type { ToolShelf } from "./tool-shelf.js";

export interface AgentThread {
  id: string;
  /** The Agent call that started it: `parentToolUseId` of its events. */
  toolUseId: string;
  definition: AgentDefinition;
  /** What people call it. */
  name: string;
  color: AgentColor;
  /** 1 for agents of the main thread. */
  depth: number;
  isBackground: boolean;
  /** The highest mode it may have: the lowest that it or an agent above it asks for. */
  highestMode?: PermissionMode;
  tools: AnyTool[];
  /** What of them its model sees, in full or by name. */
  shelf: ToolShelf;
  /** What its watched commands say: told in its own conversation, while it works. */
  notifications: Notifications;
  /** Its working folder; `cd` moves it, not the session's. */
  cwd: string;
  /** The git worktree it works in: its own, or that of who started it. */
  worktree?: Worktree;
  /** It is this agent's own: settled when the agent ends. */
  ownsWorktree?: boolean;
  /** It was entered by the agent itself (EnterWorktree). */
  enteredWorktree?: boolean;
  cwdBefore?: string;
  fileState: FileState;
  model: ModelInfo;
  provider: Provider;
}

/** Who calls Agent, and where the agent's events go. */
export interface Starter {
  toolUseId: string;
  emit: Emit;
  signal: AbortSignal;
  /** The agent that starts it; absent: the main thread. */
  parent?: AgentThread;
}
