// `claude project purge`: deletes what was kept of a project: sessions, memory, prompts, its entry in the state file.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { sanitise } from "../lib/sanitise.js";
import { configDir, projectDir, projectSlug, sessionTmpDir, stateFile } from "../platform/paths.js";
import { countPrompts, forgetPrompts } from "../sessions/forget-prompts.js";
import { peekSession } from "../sessions/list.js";
import { type OldThing, projectSessions, removeSession } from "../sessions/retention.js";
import { readState, updateState } from "../settings/state-file.js";
import type { SubcommandIo } from "./subcommands.js";

const usage = `Usage: claude project purge [folder] [--all] [--dry-run] [-i] [-y]
Deletes what is kept of a project (this folder by default): its sessions with their results and checkpoints, its memory,
its prompts in the history, its entry in the state file. Nothing in the project's own folder is touched.
  --all      every project
  --dry-run  only say what would go
  -i         ask for each session
  -y         do not ask`;

interface Found {
  /** The project's folder; for --all the name of its session folder where no session tells. */
  name: string;
  dir: string;
  sessions: { thing: OldThing; title: string }[];
  /** Sessions of another folder of the same name on disk: they stay, and the memory with them. */
  foreign: number;
  prompts: number;
}

const placesOf = ({ env, cwd }: SubcommandIo) => ({
  configDir: configDir(env),
  tmpRoot: resolve(sessionTmpDir(env, cwd, "x"), "../.."),
  history: join(configDir(env), "history.jsonl"),
});

const look = async (io: SubcommandIo, dir: string, folder: string | undefined): Promise<Found> => {
  const places = placesOf(io);
  const found: Found = { name: folder ?? basename(dir), dir, sessions: [], foreign: 0, prompts: 0 };
  for (const thing of await projectSessions(dir, places)) {
    const row = await peekSession(thing.path);
    const cwd = row?.cwd ?? "";
    if (folder !== undefined && cwd !== "" && cwd !== folder && projectSlug(cwd) === projectSlug(folder))
      found.foreign += 1;
    else found.sessions.push({ thing, title: sanitise(row?.title ?? basename(thing.path)).replace(/\s+/g, " ") });
    if (folder === undefined && cwd !== "") found.name = cwd;
  }
  found.prompts = countPrompts(places.history, found.name);
  return found;
};

const describe = ({ name, dir, sessions, foreign, prompts }: Found): string =>
  [
    `${name}`,
    ...sessions.map(({ title }) => `  session  ${title}`),
    ...(foreign === 0 && existsSync(dir) ? [`  folder   ${dir}`] : []),
    ...(prompts === 0 ? [] : [`  history  ${prompts} ${prompts === 1 ? "prompt" : "prompts"}`]),
    ...(foreign === 0 ? [] : [`  ${foreign} sessions of another folder that shares the name on disk stay`]),
  ].join("\n");

/** Asks a yes-or-no question; without a terminal the answer is no. */
const asker = (io: SubcommandIo): ((question: string) => Promise<boolean>) => {
  const lines = createInterface({ input: io.stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  return async (question) => {
    io.out(`${question} [y/N] `);
    const { value, done } = await answers.next();
    io.out("\n");
    return !done && /^y(es)?$/i.test(value.trim());
  };
};

const purgeOne = async (
  io: SubcommandIo,
  found: Found,
  mayGo: (title: string) => Promise<boolean>,
): Promise<number> => {
  let kept = found.foreign;
  for (const { thing, title } of found.sessions) {
    if (!(await mayGo(title))) kept += 1;
    else if (!(await removeSession(thing))) {
      kept += 1;
      io.err(`Not deleted, because it is open or the disk refuses: ${title}\n`);
    }
  }
  if (kept > 0) return kept - found.foreign;
  await rm(found.dir, { recursive: true, force: true });
  const { configDir: dir, history } = placesOf(io);
  forgetPrompts(history, found.name);
  await updateState({ file: stateFile(io.env), configDir: dir }, (data) => {
    const { projects } = data;
    if (typeof projects === "object" && projects !== null) delete (projects as Record<string, unknown>)[found.name];
  });
  return 0;
};

const targets = async (io: SubcommandIo, all: boolean, path: string | undefined): Promise<Found[]> => {
  if (!all) {
    const folder = resolve(io.cwd, path ?? ".");
    return [await look(io, projectDir(io.env, folder), folder)];
  }
  const root = join(configDir(io.env), "projects");
  const names = await readdir(root).catch(() => []); // nothing was ever kept
  return Promise.all(names.map((name) => look(io, join(root, name), undefined)));
};

const isEmpty = async (io: SubcommandIo, { name, dir, prompts }: Found): Promise<boolean> => {
  const { data } = await readState({ file: stateFile(io.env), configDir: configDir(io.env) });
  const isKnown = typeof data.projects === "object" && data.projects !== null && name in data.projects;
  return !existsSync(dir) && prompts === 0 && !isKnown;
};

const purge = async (argv: string[], io: SubcommandIo): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      all: { type: "boolean" },
      "dry-run": { type: "boolean" },
      interactive: { type: "boolean", short: "i" },
      yes: { type: "boolean", short: "y" },
      help: { type: "boolean", short: "h" },
    },
  });
  const isWrong = positionals[0] !== "purge" || positionals.length > 2 || (values.all && positionals.length > 1);
  if (values.help || isWrong) {
    (values.help ? io.out : io.err)(`${usage}\n`);
    return values.help ? 0 : 1;
  }
  const found: Found[] = [];
  for (const one of await targets(io, values.all === true, positionals[1]))
    if (!(await isEmpty(io, one))) found.push(one);
  if (found.length === 0) {
    io.out("Nothing is kept of this project.\n");
    return 0;
  }
  io.out(`${found.map(describe).join("\n")}\n`);
  if (values["dry-run"]) return 0;
  const ask = asker(io);
  if (!values.yes && !values.interactive && !(await ask("Delete all of this?"))) {
    io.out("Nothing was deleted.\n");
    return 1;
  }
  let kept = 0;
  for (const one of found)
    kept += await purgeOne(io, one, async (title) => !values.interactive || ask(`Delete the session "${title}"?`));
  io.out(kept === 0 ? "Deleted.\n" : `Deleted, but for ${kept} ${kept === 1 ? "session" : "sessions"}.\n`);
  return kept === 0 || values.interactive ? 0 : 1;
};

/** Runs `claude project …` and returns its exit code. */
export const projectCommand = async (argv: string[], io: SubcommandIo): Promise<number> => {
  try {
    return await purge(argv, io);
  } catch (error) {
    io.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
