// Commands in the background of a session: what the model, the screen and /tasks learn of them.
import { readFile } from "node:fs/promises";
import type { Emit } from "../execution/context.js";
import { formatBytes } from "../platform/fs.js";
import type { TaskRow } from "../protocol/pickers.js";
import { type BackgroundShell, type BackgroundShells, createBackgroundShells, shellState } from "../tasks/shells.js";
import type { MonitorNews } from "../tools/tool.js";
import { publish, type Session } from "./session.js";

const isOn = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value ?? "");

/** Commands may go to the background here. */
export const hasBackgroundTasks = ({ options }: Pick<Session, "options">): boolean =>
  !isOn(options.env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS);

const titleOf = ({ description, command }: BackgroundShell): string =>
  description ? `${description}: ${command}` : command;

/** Tells the main thread's model what a watched command says. Nothing is told after the conversation or the session has ended. */
export const monitorNews = (session: Session, toolUseId: string): ((news: MonitorNews) => void) => {
  const sessionId = session.id;
  return (news) => {
    if (session.id === sessionId && !session.closing.signal.aborted) session.notifications.add({ toolUseId, ...news });
  };
};

/** All tasks in the background, oldest first: commands and agents. */
export const taskRows = ({ shells, agents }: Pick<Session, "shells" | "agents">): TaskRow[] => {
  const commands = shells.list().map((shell): TaskRow => {
    const { id, status, startedAt, endedAt } = shell;
    return { id, kind: shell.monitor ? "monitor" : "shell", title: titleOf(shell), status, startedAt, endedAt };
  });
  const others = agents
    .list()
    .filter(({ isBackground }) => isBackground)
    .map(({ id, name, description, status, summary, startedAt, endedAt }): TaskRow => {
      const title = `${name}: ${description}`;
      return { id, kind: "agent", title, status, startedAt, endedAt, ...(status === "running" ? { summary } : {}) };
    });
  return [...commands, ...others].sort((a, b) => a.startedAt - b.startedAt);
};

/** Tells the screen what runs in the background now. */
export const publishTasks = (session: Session): void =>
  publish(session, { type: "background", tasks: taskRows(session) });

const notificationStatus = {
  running: "completed",
  completed: "completed",
  failed: "failed",
  stopped: "killed",
} as const;

/** The session's background commands. Their ends are told to the model and shown, until the session closes. */
export const sessionShells = (sessionOf: () => Session): BackgroundShells =>
  createBackgroundShells({
    now: () => sessionOf().options.clock.now(),
    onAdd: () => publishTasks(sessionOf()),
    onEnd: (shell) => {
      const session = sessionOf();
      if (session.closing.signal.aborted) return;
      publishTasks(session);
      const summary = shellState(shell);
      publish(session, { type: "notice", level: "info", text: endText(shell) });
      if (shell.monitor) return; // Monitor tells its end itself, behind its last lines
      if (shell.agentId !== undefined) return; // an agent's own commands are its own matter
      const { id, toolUseId, outputPath, status } = shell;
      const end = { taskId: id, toolUseId, outputFile: outputPath, status: notificationStatus[status], summary };
      session.notifications.add(end);
    },
  });

const endText = (shell: BackgroundShell): string => {
  const how = {
    running: "runs",
    completed: "finished",
    failed: shell.exitCode === null ? "was ended by a signal" : `failed with exit code ${shell.exitCode}`,
    stopped: shell.hasPrintedTooMuch
      ? `was stopped because it printed ${formatBytes(shell.totalBytes)}`
      : "was stopped",
  };
  return `In the background: ${shortCommand(shell)} ${how[shell.status]}`;
};

const shortCommand = (shell: BackgroundShell): string => {
  const command = shell.command.replace(/\s+/g, " ");
  return command.length > 60 ? `${command.slice(0, 60)}…` : command;
};

/** The background commands as tools see them: what a result has told is not told again. */
export const toolShells = (session: Session): BackgroundShells => {
  const told = (shell: BackgroundShell | undefined): BackgroundShell | undefined => {
    if (shell && shell.status !== "running") session.notifications.drop(shell.id);
    return shell;
  };
  const { shells } = session;
  return {
    ...shells,
    wait: async (...args) => told(await shells.wait(...args)),
    stop: async (id) => told(await shells.stop(id)),
  };
};

/** Moves what runs in the foreground to the background, where its tool allows that. */
export const moveToBackground = (session: Session): void => {
  const { moveSignal } = session;
  session.moveSignal = new AbortController();
  moveSignal.abort();
};

const shownChars = 100_000; // of a task's output, from its end

/** Shows a task's output on the screen. Throws when there is no such task. */
export const showTask = async (session: Session, id: string, emit: Emit): Promise<void> => {
  const task = taskRows(session).find((row) => row.id === id);
  const agent = task?.kind === "agent" ? session.agents.get(id) : undefined;
  if (task && agent) {
    const outputPath = agent.outputFile ?? "";
    const text = await readFile(outputPath, "utf8").catch(() => agent.result ?? ""); // the log may be gone
    await emit({ type: "picker", picker: { kind: "task_output", task, text: text.slice(-shownChars), outputPath } });
    return;
  }
  const shell = session.shells.get(id);
  if (!task || !shell) throw new Error(`There is no background task ${id}.`);
  const output = session.shells.output(id) ?? "";
  const isCut = output.length > shownChars;
  const text = isCut
    ? `(the end of ${formatBytes(shell.totalBytes)}; ${shell.storedBytes < shell.totalBytes ? `the first ${formatBytes(shell.storedBytes)} are` : "all of it is"} in the file)\n${output.slice(-shownChars)}`
    : output;
  await emit({ type: "picker", picker: { kind: "task_output", task, text, outputPath: shell.outputPath } });
};

/** Ends a task at the person's wish; the model is told. */
export const stopTask = async (session: Session, id: string): Promise<void> => {
  if (!(await session.agents.stop(id)) && !(await session.shells.stop(id)))
    throw new Error(`There is no background task ${id}.`);
};

/** Waits until no command runs in the background any more, at most `ms`. Gives a line on each that still does then. */
export const settleTasks = async (session: Pick<Session, "shells" | "closing">, ms: number): Promise<string[]> => {
  const running = session.shells.list().filter(({ status }) => status === "running");
  await Promise.all(running.map(({ id }) => session.shells.wait(id, ms, session.closing.signal)));
  return session.shells
    .list()
    .filter(({ status }) => status === "running")
    .map(
      (shell) =>
        `Stopped, because the session ends: the background command ${shortCommand(shell)} (${shell.id}). Its output so far is in ${shell.outputPath}`,
    );
};
