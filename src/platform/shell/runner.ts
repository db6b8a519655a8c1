// createShellRunner: runs bash commands as platform/shell.ts promises.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDirectory } from "../fs.js";
import type { ShellOutcome, ShellRequest, ShellRunner } from "../shell.js";
import { endMarked, markedProcesses, markFd, type ShellProcess } from "./ledger.js";
import { createPipes, readPipe } from "./pipes.js";
import { shellEnv } from "./shell-env.js";
import { createShellOutput, type ShellOutput } from "./shell-output.js";
import { startWatchdog, type Watchdog } from "./watchdog.js";

export interface LocalShell extends ShellRunner {
  /** What commands of this runner left running. */
  processes(): Promise<ShellProcess[]>;
}

export interface LocalShellOptions {
  /** Handed to children as CLAUDE_CODE_SESSION_ID. */
  sessionId?: string;
  /** Folder for short-lived files; the system's by default. */
  tmpDir?: string;
  /** Most that is kept in memory of one command's output. */
  keepBytes?: number;
  /** Most that is written to `outputPath` (design: 64 MB in the foreground). */
  maxFileBytes?: number;
}

const defaultKeepBytes = 640 * 1024; // holds the longest result a setting allows (150,000 characters) at 4 bytes each
const defaultMaxFileBytes = 64 * 1024 * 1024;
const progressMs = 200;
const graceMs = 50; // after the shell's exit, when something else still holds its output open

// The command's bytes come through a file, so that neither quoting nor argument limits touch them.
// The trap writes the folder the shell ended in to $1.
const wrapper = [
  `IFS= read -r -d '' __command <&${markFd}`,
  "__folder_file=$1",
  `trap 'builtin pwd >| "$__folder_file"' EXIT`,
  "shift",
  'eval -- "$__command"',
].join("; ");

interface Workshop {
  folder: string;
  pipes: ReturnType<typeof createPipes>;
  watchdog?: Watchdog;
}

/** A runner for one session's commands. Nothing is created before the first command. */
export const createShellRunner = (options: LocalShellOptions = {}): LocalShell => {
  const mark = randomUUID();
  let workshop: Workshop | undefined;
  let count = 0;
  const open = (): Workshop => {
    if (workshop && existsSync(workshop.folder)) return workshop;
    workshop?.watchdog?.stop();
    const folder = mkdtempSync(join(options.tmpDir ?? tmpdir(), "claude-shell-"));
    workshop = { folder, pipes: createPipes(folder) };
    return workshop;
  };
  return {
    run: async (request) => {
      const startedAt = Date.now();
      const output = createShellOutput({
        outputPath: request.outputPath,
        keepBytes: options.keepBytes ?? defaultKeepBytes,
        maxFileBytes: options.maxFileBytes ?? defaultMaxFileBytes,
      });
      const outcome: ShellOutcome = {
        output: "",
        exitCode: null,
        interrupted: request.signal.aborted,
        timedOut: false,
        totalBytes: 0,
        cwd: request.cwd,
        durationMs: 0,
      };
      if (!outcome.interrupted) {
        const commandMark = `${mark}.${++count}`;
        try {
          const shop = open();
          const shell = await startShell(request, { shop, mark: commandMark, sessionId: options.sessionId });
          shop.watchdog ??= startWatchdog(mark, shop.folder);
          await follow(shell, request, output, outcome, commandMark);
          outcome.cwd = takeText(shell.cwdFile).replace(/\n$/, "") || request.cwd;
        } catch (error) {
          outcome.exitCode = 126; // what a shell reports when it cannot start something
          output.add(Buffer.from(await startFailure(error, request)));
        }
      }
      outcome.output = output.text();
      outcome.totalBytes = output.totalBytes;
      outcome.durationMs = Date.now() - startedAt;
      return outcome;
    },
    processes: () => (count === 0 ? Promise.resolve([]) : markedProcesses(mark)),
    killAll: async () => {
      if (!workshop) return;
      await endMarked(mark);
      workshop.watchdog?.stop();
      rmSync(workshop.folder, { recursive: true, force: true });
      workshop = undefined;
    },
  };
};

interface RunningShell {
  child: ChildProcess;
  readFd: number;
  cwdFile: string;
}

/** Starts bash on the command. Throws when it cannot be started. */
const startShell = async (
  request: ShellRequest,
  own: { shop: Workshop; mark: string; sessionId?: string },
): Promise<RunningShell> => {
  const cwdFile = join(own.shop.folder, `cwd-${own.mark}`);
  const pipe = await own.shop.pipes.take();
  let commandFd: number | undefined;
  try {
    commandFd = openNameless(join(own.shop.folder, `command-${own.mark}`), request.command);
    const gap = Array<"ignore">(markFd - 3).fill("ignore");
    const child = spawn("bash", ["--noprofile", "--norc", "-c", wrapper, "bash", cwdFile], {
      cwd: request.cwd,
      env: shellEnv(request.env, { cwd: request.cwd, mark: own.mark, sessionId: own.sessionId }),
      stdio: ["ignore", pipe.writeFd, pipe.writeFd, ...gap, commandFd],
      detached: true, // setsid: no controlling terminal
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return { child, readFd: pipe.readFd, cwdFile };
  } catch (error) {
    closeSync(pipe.readFd);
    throw error;
  } finally {
    closeSync(pipe.writeFd);
    if (commandFd !== undefined) closeSync(commandFd);
  }
};

/** A read-only descriptor of a file with this text that has no name any more. */
const openNameless = (path: string, text: string): number => {
  const writeFd = openSync(path, "wx", 0o600);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length; ) at += writeSync(writeFd, bytes, at);
    return openSync(path, "r");
  } finally {
    closeSync(writeFd);
    unlinkSync(path);
  }
};

/** Waits for the shell's end (not its children's), enforcing timeout and signal. Fills the outcome. */
const follow = (
  shell: RunningShell,
  request: ShellRequest,
  output: ShellOutput,
  outcome: ShellOutcome,
  mark: string,
): Promise<void> =>
  new Promise((resolve) => {
    const progress = createProgress(request, output);
    let hasExited = false;
    let hasEnded = false;
    const done = () => {
      clearTimeout(timer);
      progress.stop();
      request.signal.removeEventListener("abort", onAbort);
      if (hasEnded) output.close();
      resolve();
    };
    readPipe(
      shell.readFd,
      (bytes) => {
        output.add(bytes);
        progress.note();
      },
      () => {
        hasEnded = true;
        if (hasExited) done();
        else output.close();
      },
    );
    const end = (why: "interrupted" | "timedOut") => {
      outcome[why] = true;
      void endMarked(mark).then(() => setTimeout(done, graceMs * 10)); // should the exit never be reported
    };
    const onAbort = () => end("interrupted");
    const timer = setTimeout(() => end("timedOut"), request.timeoutMs);
    request.signal.addEventListener("abort", onAbort, { once: true });
    if (request.signal.aborted) onAbort();
    shell.child.once("exit", (code) => {
      hasExited = true;
      outcome.exitCode = code;
      clearTimeout(timer);
      // What was written before the exit is in the pipe: one more round of the event loop reads it.
      if (hasEnded) done();
      else setTimeout(() => setImmediate(() => setImmediate(done)), graceMs);
    });
  });

/** Calls onProgress at most every 200 ms while output comes, never when none does. */
const createProgress = (request: ShellRequest, output: ShellOutput) => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = !request.onProgress;
  let last = 0;
  const emit = () => {
    timer = undefined;
    last = Date.now();
    request.onProgress?.({ lastLines: output.lastLines(5), totalBytes: output.totalBytes });
  };
  return {
    note: () => {
      if (isOver || timer) return;
      const wait = last + progressMs - Date.now();
      if (wait <= 0) emit();
      else timer = setTimeout(emit, wait);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};

const takeText = (path: string): string => {
  try {
    const text = readFileSync(path, "utf8");
    unlinkSync(path);
    return text;
  } catch {
    return ""; // the command replaced our trap or ended by a signal
  }
};

/** Why bash could not be started, as text the model can act on. */
const startFailure = async (error: unknown, request: ShellRequest): Promise<string> => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "E2BIG") {
    const bytes = Object.entries(request.env).reduce(
      (sum, [name, value]) => sum + name.length + (value?.length ?? 0),
      0,
    );
    return `The command could not start: the environment is too large for the system (${bytes} bytes). Ask the person to start the program with fewer variables.`;
  }
  if (code === "ENOENT" && !(await isDirectory(request.cwd))) {
    return `The command could not start: the folder ${request.cwd} does not exist.`;
  }
  if (code === "ENOENT")
    return "The command could not start: bash was not found in PATH. Commands need bash; no other shell is used.";
  return `The command could not start: ${message}`;
};
