// A process of its own that keeps, changes and brings back files, and can be killed at any line it has written.
import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { bundleProgram } from "./bundle-program.js";

/**
 * argv: folder, what to do, the line after which the process kills itself (0: never), turns of the event loop until then.
 * Lines go to `lines.jsonl` as a transcript's do: whole, one by one, before anything else happens.
 */
const program = `
  import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
  import { join } from "node:path";
  import { Checkpoints } from "./src/sessions/checkpoint.js";
  import { emptyHistory, readCheckpoints } from "./src/sessions/checkpoint-records.js";
  import { applyRewind, planRewind } from "./src/sessions/rewind.js";
  const [, , root, job, killAt, turns] = process.argv;
  const file = join(root, "lines.jsonl"), project = join(root, "project"), dir = join(root, "kept");
  const records = existsSync(file) ? readFileSync(file, "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line)) : [];
  const history = records.length > 0 ? readCheckpoints(records, project) : emptyHistory();
  const interrupted = history.interrupted !== undefined;
  let written = 0, made = records.length;
  const die = (left) => left === 0 ? process.kill(process.pid, "SIGKILL") : setImmediate(() => die(left - 1));
  const record = (line) => {
    appendFileSync(file, JSON.stringify(line) + "\\n");
    written += 1;
    if (written === Number(killAt)) die(Number(turns));
  };
  const newId = () => "made-" + ++made;
  const checkpoints = new Checkpoints({ dir, history, now: Date.now, record, newId });
  const names = ["a", "b", "c"];
  const said = { interrupted };
  if (job === "change") {
    await checkpoints.begin("p1");
    for (const name of names) {
      const { settle, lost } = await checkpoints.touch([join(project, name)], "Write");
      said.lost = [...(said.lost ?? []), ...lost.map(({ problem }) => problem)];
      try {
        writeFileSync(join(project, name), "new ".repeat(50_000));
      } catch (error) {
        said.failed = error.code;
      }
      await settle();
    }
  } else {
    const plan = await planRewind(checkpoints, dir, "p1");
    said.plan = Object.fromEntries(plan.steps.map(({ path, action, reason }) => [path.slice(project.length + 1), reason ? action + ": " + reason : action]));
    const { files } = await applyRewind(plan, { checkpoints, record, newId, to: "p1", takesConflicts: false });
    said.problems = files.flatMap(({ problem }) => problem ?? []);
    said.after = history.interrupted !== undefined;
  }
  said.lines = written;
  writeSync(1, JSON.stringify(said));
`;

let bundled: Promise<string> | undefined;

export interface RewindProcess {
  signal: NodeJS.Signals | null;
  stderr: string;
  /** What it said at its end; undefined when it was killed. */
  said?: {
    /** Whether it found a rewind that was cut off. */
    interrupted: boolean;
    lines: number;
    lost?: string[];
    failed?: string;
    plan?: Record<string, string>;
    problems?: string[];
    /** Whether a rewind still counts as cut off. */
    after?: boolean;
  };
}

/** Runs a job in `root` (with a folder `project`) to its end, or to the kill. `uid`: as another user. */
export const rewindProcess = async (
  root: string,
  job: "change" | "rewind",
  { killAt = 0, turns = 0, uid }: { killAt?: number; turns?: number; uid?: number } = {},
): Promise<RewindProcess> => {
  bundled ??= bundleProgram(program);
  if (uid !== undefined) chmodSync(dirname(await bundled), 0o755); // the other user must find it
  const args = [await bundled, root, job, String(killAt), String(turns)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.once("close", (_, name) => resolve(name)));
  return { signal, stderr, ...(stdout === "" ? {} : { said: JSON.parse(stdout) as RewindProcess["said"] }) };
};
