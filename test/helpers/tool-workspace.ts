// A temporary folder with a tool context over it: real files, a real shell, a task list on disk.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createShellRunner } from "../../src/platform/shell/runner.js";
import type { PermissionMode } from "../../src/protocol/permission.js";
import { createTaskList } from "../../src/tasks/disk-list.js";
import { createFileState } from "../../src/tools/shared/file-state.js";
import type { AnyTool, ToolContext, ToolResult } from "../../src/tools/tool.js";

export interface Workspace {
  /** The project folder; also the first working folder. */
  cwd: string;
  context: ToolContext;
  /** Absolute path of a file in the project. */
  path(name: string): string;
  /** Writes a file (folders are made) and returns its absolute path. */
  file(name: string, content: string | Uint8Array): string;
  bytes(name: string): Buffer;
  text(name: string): string;
  /** Passes the gates that concern a tool: schema, validate, call. */
  run(tool: AnyTool, input: Record<string, unknown>): Promise<ToolResult>;
  /** Ends what commands started and removes the folder. */
  close(): Promise<void>;
}

/** Opens a workspace. `more` replaces parts of the context. */
export const openWorkspace = (more: Partial<ToolContext> = {}): Workspace => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tools-")));
  const cwd = join(root, "project");
  for (const folder of [cwd, join(root, "home"), join(root, "tmp")]) mkdirSync(folder);
  const shell = createShellRunner({ tmpDir: join(root, "tmp") });
  const context: ToolContext = {
    cwd,
    setCwd: (path) => {
      context.cwd = path;
    },
    workingDirs: [cwd],
    home: join(root, "home"),
    env: { PATH: process.env.PATH, HOME: join(root, "home"), CLAUDE_CONFIG_DIR: join(root, "home", ".claude") },
    signal: new AbortController().signal,
    sessionId: "session",
    toolUseId: "call-1",
    fileState: createFileState(),
    tasks: createTaskList({ dir: join(root, "tasks") }),
    shell,
    permissionMode: "default",
    setPermissionMode: (mode: PermissionMode) => {
      context.permissionMode = mode;
    },
    planPath: join(root, "home", ".claude", "plans", "calm-fox.md"),
    modeBeforePlan: "default",
    contextTokens: 1234,
    resultsDir: join(root, "results"),
    now: () => Date.now(),
    ...more,
  };
  const path = (name: string) => join(cwd, name);
  return {
    cwd,
    context,
    path,
    file: (name, content) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    bytes: (name) => readFileSync(path(name)),
    text: (name) => readFileSync(path(name), "utf8"),
    run: async (tool, input) => {
      const parsed = tool.input.parse(input);
      const refusal = await tool.validate(parsed, context);
      if (refusal !== undefined) return { content: refusal, isError: true };
      return tool.call(parsed, context, () => undefined);
    },
    close: async () => {
      await shell.killAll();
      rmSync(root, { recursive: true, force: true });
    },
  };
};
