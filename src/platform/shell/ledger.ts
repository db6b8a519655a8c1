// The ledger: finds and ends every descendant of a command, also those that left its session and lost their parent.
// Each carries a mark in its environment and, on Linux, an open descriptor of a file whose name has the mark.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { runProcess } from "../process.js";
import { markVariable } from "./shell-env.js";

export interface ShellProcess {
  pid: number;
  command: string;
}

/** Number of the descriptor that every descendant inherits. High, so that scripts' own numbers do not meet it. */
export const markFd = 98;

/** Living processes that carry the mark, and their children. */
export const markedProcesses = async (mark: string): Promise<ShellProcess[]> =>
  process.platform === "linux" ? scanProc(mark) : scanPs(mark);

/** What one look at /proc says about a process; undefined when it is gone or a zombie. */
const look = (pid: number): { parent: number; isGone: boolean } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), isGone: state === "Z" || state === "X" };
  } catch {
    return undefined; // ended meanwhile
  }
};

const hasMark = (pid: number, mark: string): boolean => {
  try {
    if (readlinkSync(`/proc/${pid}/fd/${markFd}`).includes(mark)) return true;
  } catch {
    // No such descriptor, or not ours to look at: the environment decides.
  }
  try {
    return readFileSync(`/proc/${pid}/environ`)
      .toString("latin1")
      .split("\0")
      .some((line) => line.startsWith(`${markVariable}=`) && line.includes(mark));
  } catch {
    return false; // ended meanwhile, or another user's
  }
};

const scanProc = (mark: string): ShellProcess[] => {
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const seen = look(pid);
    if (!seen || seen.isGone) continue;
    parents.set(pid, seen.parent);
    if (hasMark(pid, mark)) found.add(pid);
  }
  addDescendants(found, parents);
  return [...found].map((pid) => ({ pid, command: commandOf(pid) }));
};

const addDescendants = (found: Set<number>, parents: ReadonlyMap<number, number>): void => {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return ""; // ended meanwhile
  }
};

const scanPs = async (mark: string): Promise<ShellProcess[]> => {
  const listing = await runProcess("ps", ["-axEww", "-o", "pid=,ppid=,command="]);
  const parents = new Map<number, number>();
  const commands = new Map<number, string>();
  const found = new Set<number>();
  for (const line of listing.stdout.split("\n")) {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || Number(pid) === process.pid) continue;
    parents.set(Number(pid), Number(parent));
    commands.set(Number(pid), command);
    const at = command.indexOf(`${markVariable}=`);
    if (at >= 0 && (command.slice(at).split(" ")[0] ?? "").includes(mark)) found.add(Number(pid));
  }
  addDescendants(found, parents);
  return [...found].map((pid) => ({ pid, command: commands.get(pid) ?? "" }));
};

const politeMs = 300; // time for SIGTERM handlers (servers closing their port) before SIGKILL
const rounds = 60;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Ends all that carry the mark: SIGTERM, then SIGKILL until none is left. Resolves when none is or nothing helps. */
export const endMarked = async (mark: string): Promise<void> => {
  const start = Date.now();
  const asked = new Set<number>();
  let empty = 0;
  for (let round = 0; round < rounds; round++) {
    const living = await markedProcesses(mark);
    // Twice, because one look can miss a child whose parent ended while we looked.
    empty = living.length === 0 ? empty + 1 : 0;
    if (empty === 2) return;
    const isPatient = Date.now() - start < politeMs;
    for (const { pid } of living) {
      if (isPatient && asked.has(pid)) continue;
      asked.add(pid);
      send(pid, isPatient ? "SIGTERM" : "SIGKILL");
    }
    await pause(empty > 0 || round < 3 ? 10 : 30);
  }
};

const send = (pid: number, signal: "SIGTERM" | "SIGKILL"): void => {
  try {
    process.kill(pid, signal);
    if (signal === "SIGTERM") process.kill(pid, "SIGCONT"); // a stopped process would never see it
  } catch {
    // Ended meanwhile, or run by another user (sudo): beyond our rights.
  }
};
