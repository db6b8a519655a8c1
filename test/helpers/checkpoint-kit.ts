// Checkpoints over real files: a folder, the lines a transcript would get, and calls that change files between them.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Checkpoints } from "../../src/sessions/checkpoint.js";
import { type CheckpointHistory, emptyHistory, readCheckpoints } from "../../src/sessions/checkpoint-records.js";
import type { TranscriptRecord } from "../../src/sessions/record.js";
import { applyRewind, planRewind } from "../../src/sessions/rewind.js";

export interface CheckpointKit {
  folder: string;
  /** Folder of the kept contents. */
  dir: string;
  lines: TranscriptRecord[];
  checkpoints: Checkpoints;
  path(name: string): string;
  /** A person's change: nobody is told. */
  write(name: string, content: string | Buffer): void;
  remove(name: string): void;
  /** A call's change; null removes the file. */
  call(name: string, content: string | Buffer | null, by?: string): Promise<void>;
  read(name: string): string | undefined;
  /** Everything in the folder: names, contents and modes. */
  all(): Record<string, string>;
  /** Actions by name, "kept" and "lost" with their reasons. */
  plan(id: string): Promise<Record<string, string>>;
  rewind(id: string, takesConflicts?: boolean): Promise<Record<string, string>>;
  /** What another process makes of the lines. */
  reopened(): CheckpointKit;
}

const kitOver = (root: string, lines: TranscriptRecord[], history: CheckpointHistory): CheckpointKit => {
  const folder = join(root, "project");
  const dir = join(root, "kept");
  let ids = 0;
  const newId = (): string => `made-${lines.length}-${++ids}`;
  const record = (line: TranscriptRecord): void =>
    void lines.push(JSON.parse(JSON.stringify(line)) as TranscriptRecord);
  const checkpoints = new Checkpoints({ dir, history, now: () => Date.now(), record, newId });
  const path = (name: string): string => join(folder, name);
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  const said = (name: string): string => name.slice(folder.length + 1);
  const planOf = async (id: string) => {
    const plan = await planRewind(checkpoints, dir, id);
    if (!plan) throw new Error(`no checkpoint ${id}`);
    return plan;
  };
  return {
    folder,
    dir,
    lines,
    checkpoints,
    path,
    write,
    remove: (name) => unlinkSync(path(name)),
    call: async (name, content, by = "Write") => {
      const { settle } = await checkpoints.touch([path(name)], by);
      if (content === null) rmSync(path(name), { force: true });
      else write(name, content);
      await settle();
    },
    read: (name) => {
      try {
        return readFileSync(path(name), "utf8");
      } catch {
        return undefined;
      }
    },
    all: () => {
      const found: Record<string, string> = {};
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const name = join(entry.parentPath, entry.name);
        const mode = (statSync(name).mode & 0o7777).toString(8);
        found[said(name)] = entry.isFile() ? `${mode} ${readFileSync(name, "latin1")}` : "folder";
      }
      return found;
    },
    plan: async (id) => {
      const { steps } = await planOf(id);
      return Object.fromEntries(
        steps.map(({ path: name, action, reason }) => [said(name), reason ? `${action}: ${reason}` : action]),
      );
    },
    rewind: async (id, takesConflicts = false) => {
      const { files } = await applyRewind(await planOf(id), { checkpoints, record, newId, to: id, takesConflicts });
      return Object.fromEntries(files.map(({ path: name, problem }) => [said(name), problem ?? "done"]));
    },
    reopened: () => kitOver(root, lines, readCheckpoints(lines, folder)),
  };
};

/** A kit in a temporary folder that goes away with the test. */
export const checkpointKit = (): CheckpointKit => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoints-")));
  mkdirSync(join(root, "project"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return kitOver(root, [], emptyHistory());
};
