// The requests the offline model understands, as data.

export type OfflineRequest =
  | { kind: "help" }
  | { kind: "tour" }
  | { kind: "read"; files: string[]; offset?: number; limit?: number }
  | { kind: "list"; folder?: string; glob: string }
  | { kind: "search"; pattern: string; shown: string; path?: string }
  | { kind: "run"; command: string }
  | { kind: "replace"; from: string; to: string; file: string; all: boolean }
  | { kind: "write"; file: string; content: string }
  | { kind: "append"; file: string; content: string }
  | { kind: "plan"; goal: string; steps: string[] }
  | { kind: "carryOut"; steps: string[] }
  | { kind: "tasks"; items: string[] }
  | { kind: "showTasks" }
  | { kind: "taskStatus"; id: string; status: "pending" | "in_progress" | "completed" }
  | { kind: "ask"; question: string; options: string[] }
  | { kind: "delegate"; task: string; isBackground: boolean }
  | { kind: "say"; text: string }
  | { kind: "continued" }
  | { kind: "unknown"; text: string };

/** Kinds that change something outside the conversation: in plan mode they become steps of a plan. */
export const changesThings = ({ kind }: OfflineRequest): boolean =>
  kind === "replace" || kind === "write" || kind === "append" || kind === "run";
