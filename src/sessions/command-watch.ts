// Watches the working folders while a shell command runs: what it changed can then be taken back, as far as it is known.
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../platform/fs.js";
import type { Env } from "../platform/paths.js";
import type { Found, FoundChange } from "./checkpoint.js";
import { birthSlackMs, watchLimits } from "./checkpoint-numbers.js";
import { folderBefore, folderChanges, isFolder } from "./folder-watch.js";
import { type GitState, gitBefore, gitChanges, type NotWatched } from "./git-watch.js";
import { type Seen, SeenFiles } from "./seen-files.js";

interface Watched {
  folder: string;
  state: { kind: "git"; before: GitState } | { kind: "folder"; before: Map<string, Seen> };
}

/** Watches commands of one session; remembers what it has read, and which folders are too large. */
export class CommandWatch {
  readonly #seen = new SeenFiles();
  readonly #tooLarge = new Map<string, string>();

  /** `clock`: milliseconds since the epoch, as the file system's. */
  constructor(private readonly clock: () => number) {}

  /** Looks at the folders; call the result once when the command is over. Never throws. */
  async begin(folders: readonly string[], env: Env): Promise<() => Promise<Found>> {
    const roots = outermost(folders).filter(isFolder);
    const watched: Watched[] = [];
    const unknown: string[] = roots
      .slice(watchLimits.maxFolders)
      .map((folder) => notWatched(folder, "too many folders"));
    for (const folder of roots.slice(0, watchLimits.maxFolders)) {
      const known = this.#tooLarge.get(folder);
      const state = known === undefined ? await this.#look(folder, env) : { problem: known };
      if ("problem" in state) {
        this.#tooLarge.set(folder, state.problem);
        unknown.push(notWatched(folder, state.problem));
      } else watched.push({ folder, state });
    }
    const since = this.clock() - birthSlackMs;
    return () => this.#end(watched, unknown, { env, since });
  }

  async #look(folder: string, env: Env): Promise<Watched["state"] | NotWatched> {
    const top = await repositoryOf(folder);
    if (top !== undefined) {
      const before = await gitBefore({ top, cwd: folder, env }, this.#seen);
      return "problem" in before ? before : { kind: "git", before };
    }
    const before = folderBefore(folder, this.#seen, this.clock);
    return "problem" in before ? (before as NotWatched) : { kind: "folder", before };
  }

  async #end(watched: readonly Watched[], unknown: string[], place: { env: Env; since: number }): Promise<Found> {
    const changes: FoundChange[] = [];
    for (const { folder, state } of watched) {
      const found =
        state.kind === "git"
          ? await gitChanges(state.before, { cwd: folder, ...place })
          : await folderChanges(folder, state.before, { clock: this.clock, since: place.since });
      if ("problem" in found) unknown.push(notWatched(folder, found.problem));
      else changes.push(...found);
      const kept = state.kind === "git" ? state.before.dirty : state.before;
      this.#seen.forget((path) => isInside(path, folder) && !kept.has(path));
    }
    return { changes, unknown };
  }
}

const notWatched = (folder: string, problem: string): string =>
  `What commands changed in ${folder} is not known: ${problem}.`;

/** Folders without those that lie in another one. */
const outermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)].filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));

/** Top of the repository around the folder; undefined outside of one. */
const repositoryOf = async (folder: string): Promise<string | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    if (await stat(join(at, ".git")).catch(() => undefined)) return at; // ENOENT: look above
    if (at === dirname(at)) return undefined;
  }
};
