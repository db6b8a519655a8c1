// One case of a table of permission cases: its fields, the request it stands for, and the files it wants made before.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import type { DecisionRequest } from "../../permissions/types.js";
import { expandPath } from "../../platform/paths.js";
import { permissionMode } from "../../protocol/permission.js";

const setupStep = z.looseObject({
  file: z.string().optional(),
  content: z.string().optional(),
  symlink: z.string().optional(),
  target: z.string().optional(),
  fifo: z.string().optional(),
  socket: z.string().optional(),
  sparse: z.string().optional(),
  bytes: z.number().optional(),
});
type SetupStep = z.infer<typeof setupStep>;

const ruleList = z.array(z.string()).optional();

/** A line of `claude permissions test --batch`. Fields it does not know are ignored. */
export const permissionCase = z.looseObject({
  id: z.string().optional(),
  command: z.string().optional(),
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  setup: z.array(setupStep).optional(),
  rules: z.strictObject({ allow: ruleList, deny: ruleList, ask: ruleList, sandbox: ruleList }).optional(),
  mode: z.union([permissionMode, z.literal("manual").transform(() => "default" as const)]).optional(),
});
export type PermissionCase = z.infer<typeof permissionCase>;

export interface CasePlace {
  root: string;
  home: string;
  out: string;
}

/** Replaces `${ROOT}`, `${HOME}` and `${OUT}` in every text of a value; a command is left as it is. */
export const fillPlaces = <T>(value: T, { root, home, out }: CasePlace): T => {
  if (typeof value === "string")
    return value.replaceAll("${ROOT}", root).replaceAll("${HOME}", home).replaceAll("${OUT}", out) as T;
  if (Array.isArray(value)) return value.map((item) => fillPlaces(item, { root, home, out })) as T;
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === "command" ? item : fillPlaces(item, { root, home, out }),
      ]),
    ) as T;
  return value;
};

const writers: ReadonlySet<string> = new Set(["Write", "Edit", "NotebookEdit"]);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The request of a file tool, and whether the tool would refuse by itself (a folder, a device, a missing file). */
export const fileRequest = (
  tool: string,
  input: Record<string, unknown>,
  { root, home }: Pick<CasePlace, "root" | "home">,
): { request: DecisionRequest; fails: boolean } => {
  const given = text(input.file_path ?? input.notebook_path ?? input.path ?? root);
  const path = expandPath(given, root, home);
  const isSearch = tool === "Glob" || tool === "Grep";
  const pattern = text(input.pattern);
  const searched = tool === "Glob" && pattern.startsWith("/") ? [pattern.replace(/[*?[].*$/s, "")] : [];
  const facts = writers.has(tool) ? { reads: [], writes: [path] } : { reads: [path, ...searched], writes: [] };
  return {
    request: { tool, input, facts, isReadOnly: !writers.has(tool) },
    fails: given === "" || (!isSearch && failsAtOnce(tool, path, given)),
  };
};

const failsAtOnce = (tool: string, path: string, given: string): boolean => {
  try {
    return !statSync(path).isFile() || given.endsWith("/");
  } catch (error) {
    if (tool !== "Write") return true;
    return (error as NodeJS.ErrnoException).code !== "ENOENT" || isBrokenLink(path);
  }
};

const isBrokenLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // nothing there: it would be created
  }
};

/** Where a case may make files: the project, the folders beside it, and a home that is not this user's real one. */
const mayMake = (path: string, { root, home }: CasePlace): boolean => {
  const below = (folder: string) => resolve(path).startsWith(folder.endsWith("/") ? folder : `${folder}/`);
  return below(root) || (dirname(root) !== "/" && below(dirname(root))) || (home !== userInfo().homedir && below(home));
};

/** Topmost folder of a path that is missing. */
const firstMissing = (path: string): string => {
  let missing = path;
  while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing);
  return missing;
};

const makeStep = (step: SetupStep, path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  if (step.file !== undefined) writeFileSync(path, step.content ?? "");
  else if (step.symlink !== undefined) symlinkSync(step.target ?? "", path);
  else if (step.fifo !== undefined) execFileSync("mkfifo", [path]);
  else {
    writeFileSync(path, "");
    if (step.sparse !== undefined) truncateSync(path, step.bytes ?? 0);
  }
};

/**
 * Makes what a case needs and returns how to take it away again. What exists already is left alone, before and after.
 * Throws an Error for a place outside the project, its neighbours and a home of its own.
 */
export const makeSetup = (steps: readonly SetupStep[], place: CasePlace): (() => void) => {
  const made: string[] = [];
  const undo = (): void => {
    for (const path of made.reverse()) rmSync(path, { recursive: true, force: true });
  };
  try {
    for (const step of steps) {
      const name = step.file ?? step.symlink ?? step.fifo ?? step.socket ?? step.sparse ?? "";
      const path = isAbsolute(name) ? name : join(place.root, name);
      if (name === "" || !mayMake(path, place)) throw new Error(`setup: ${name || "a step"} is not beside the project`);
      if (existsSync(path) || isBrokenLink(path)) continue;
      made.push(firstMissing(path));
      makeStep(step, path);
    }
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
};
