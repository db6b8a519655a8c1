// Runs a command in the foreground until it ends, is interrupted, or moves to the background; or there from the start.
import type { ShellJob, ShellOutcome, ShellRequest } from "../../platform/shell.js";
import type { BackgroundShell } from "../../tasks/shells.js";
import type { ToolContext } from "../tool.js";

export interface CommandRequest extends Omit<ShellRequest, "signal"> {
  description?: string;
  isBackground: boolean;
}

export type CommandEnd =
  | { kind: "ended"; outcome: ShellOutcome }
  /** `why`: asked for by the model, by the person (Ctrl+B), or because its time was over. */
  | { kind: "background"; shell: BackgroundShell; why: "model" | "person" | "timeout" };

/** Commands that a timeout ends instead of moving them: waiting is no work, and git must not hold its locks unseen. */
const mustEnd = (command: string): boolean => /^\s*sleep\b/.test(command) || /\bgit\b/.test(command);

const isOn = (value: string | undefined) => /^(1|true|yes|on)$/i.test(value ?? "");

/** Runs it. Without `context.shells` everything stays in the foreground. */
export const runCommand = async (request: CommandRequest, context: ToolContext): Promise<CommandEnd> => {
  const { isBackground, description, ...rest } = request;
  const shells = isOn(context.env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS) ? undefined : context.shells;
  if (!shells) return { kind: "ended", outcome: await context.shell.run({ ...rest, signal: context.signal }) };
  const stop = new AbortController();
  let isForeground = true;
  const startedAt = context.now();
  const job = context.shell.start({
    ...rest,
    timeoutMs: isBackground || !mustEnd(rest.command) ? Number.POSITIVE_INFINITY : rest.timeoutMs,
    signal: stop.signal,
    onProgress: (progress) => {
      if (isForeground) rest.onProgress?.(progress);
    },
  });
  const why = isBackground ? "model" : await endOrMove(job, stop, { request, context });
  isForeground = false;
  if (why === "ended") return { kind: "ended", outcome: await job.done };
  const shell = shells.add({
    command: rest.command,
    description,
    agentId: context.agentId,
    toolUseId: context.toolUseId,
    outputPath: rest.outputPath,
    startedAt,
    job,
    stop: () => stop.abort(),
  });
  return { kind: "background", shell, why };
};

/** Waits for the end or for a reason to move; an interrupt of the call ends the command. */
const endOrMove = (
  job: ShellJob,
  stop: AbortController,
  { request, context }: { request: CommandRequest; context: ToolContext },
): Promise<"ended" | "person" | "timeout"> =>
  new Promise((resolve) => {
    const settle = (how: "ended" | "person" | "timeout") => {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", interrupt);
      context.moveToBackground?.removeEventListener("abort", move);
      resolve(how);
    };
    const interrupt = () => stop.abort();
    const move = () => settle("person");
    const timer = mustEnd(request.command) ? undefined : setTimeout(() => settle("timeout"), request.timeoutMs);
    context.signal.addEventListener("abort", interrupt, { once: true });
    context.moveToBackground?.addEventListener("abort", move, { once: true });
    void job.done.then(() => settle("ended"));
    if (context.signal.aborted) interrupt();
  });
