// createShellRunner: runs bash commands as platform/shell.ts promises.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDirectory } from "../fs.js";
import type { ShellJob, ShellOutcome, ShellRequest, ShellRunner } from "../shell.js";
import { follow, type RunningShell } from "./follow.js";
import { endMarked, markedProcesses, markFd, type ShellProcess } from "./ledger.js";
import { createPipes } from "./pipes.js";
import { shellEnv } from "./shell-env.js";
import { createShellOutput } from "./shell-output.js";
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
  const start = (request: ShellRequest): ShellJob => {
    const output = createShellOutput({
      outputPath: request.outputPath,
      keepBytes: options.keepBytes ?? defaultKeepBytes,
      maxFileBytes: request.maxFileBytes ?? options.maxFileBytes ?? defaultMaxFileBytes,
    });
    const toEnd = async (): Promise<ShellOutcome> => {
      const startedAt = Date.now();
      const outcome = newOutcome(request);
      if (!outcome.interrupted) {
        const commandMark = `${mark}.${++count}`;
        try {
          const shop = open();
          const shell = await startShell(request, { shop, mark: commandMark, sessionId: options.sessionId });
          shop.watchdog ??= startWatchdog(mark, shop.folder);
          await follow(shell, request, output, outcome, commandMark);
          shell.onEnd?.();
          outcome.cwd = takeText(shell.cwdFile).replace(/\n$/, "") || request.cwd;
        } catch (error) {
          outcome.exitCode = 126; // what a shell reports when it cannot start something
          output.add(Buffer.from(await startFailure(error, request)));
        }
      }
      const wasStopped = outcome.interrupted || outcome.timedOut;
      outcome.output = wasStopped ? withoutJobNotices(output.text()) : output.text();
      outcome.totalBytes = output.totalBytes;
      outcome.storedBytes = output.storedBytes;
      outcome.durationMs = Date.now() - startedAt;
      return outcome;
    };
    return {
      done: toEnd(),
      totalBytes: () => output.totalBytes,
      storedBytes: () => output.storedBytes,
      lastLines: output.lastLines,
      output: output.text,
      setLimits: output.setLimits,
    };
  };
  return {
    start,
    run: (request) => start(request).done,
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

/** Without the lines at the end in which bash reports that we stopped its children: the result says it already. */
const withoutJobNotices = (output: string): string =>
  output.replace(/(?:(?<=^|\n)(?:[^\n]*: line \d+: +\d+ )?(?:Terminated|Killed)(?: [^\n]*)?(?:\n|$))+$/, "");

const newOutcome = (request: ShellRequest): ShellOutcome => ({
  output: "",
  exitCode: null,
  interrupted: request.signal.aborted,
  timedOut: false,
  totalBytes: 0,
  storedBytes: 0,
  cwd: request.cwd,
  durationMs: 0,
});

/** Starts bash on the command. Throws when it cannot be started. */
const startShell = async (
  request: ShellRequest,
  own: { shop: Workshop; mark: string; sessionId?: string },
): Promise<RunningShell> => {
  const cwdFile = join(own.shop.folder, `cwd-${own.mark}`);
  const pipe = await own.shop.pipes.take();
  let commandFd: number | undefined;
  let stderrFd: number | undefined;
  try {
    if (request.stderrPath !== undefined) stderrFd = openForErrors(request.stderrPath);
    commandFd = openNameless(join(own.shop.folder, `command-${own.mark}`), request.command);
    const gap = Array<"ignore">(markFd - 3).fill("ignore");
    const bash = ["bash", "--noprofile", "--norc", "-c", wrapper, "bash", cwdFile];
    const confined = await request.confine?.(bash, {
      scratch: own.shop.folder,
      cwd: request.cwd,
      signal: request.signal,
    });
    const [program = "bash", ...args] = confined?.argv ?? bash;
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: shellEnv(request.env, { cwd: request.cwd, mark: own.mark, sessionId: own.sessionId }),
      stdio: ["ignore", pipe.writeFd, stderrFd ?? pipe.writeFd, ...gap, commandFd],
      detached: true, // setsid: no controlling terminal
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return { child, readFd: pipe.readFd, cwdFile, onEnd: confined?.onEnd };
  } catch (error) {
    closeSync(pipe.readFd);
    throw error;
  } finally {
    closeSync(pipe.writeFd);
    for (const fd of [commandFd, stderrFd]) if (fd !== undefined) closeSync(fd);
  }
};

const openForErrors = (path: string): number => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, "a", 0o600);
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
