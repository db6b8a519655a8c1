// Where a path really leads: links followed part by part, as the system does it.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface ResolvedPath {
  /** Absolute, as it was written. */
  written: string;
  /** Where it lands after all links; the part that does not exist yet is kept as written. */
  real: string;
  /** Every absolute spelling on the way, `written` and `real` among them. */
  spellings: string[];
  /** Links that lead in a circle. */
  isLoop: boolean;
}

const maxLinks = 40; // what Linux follows

const linkTarget = (path: string): string | undefined => {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // missing or unreadable: judged as written
  }
};

/** Resolves a path physically: `..` is applied after the links of the part before it. `base` must be absolute. */
export const resolvePhysical = (path: string, base: string): ResolvedPath => {
  const full = isAbsolute(path) ? path : `${base}/${path}`;
  const written = resolve(full);
  const spellings = new Set([written]);
  const rest = full.split("/").reverse();
  let links = 0;
  let here = "/";
  while (rest.length > 0) {
    const part = rest.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      here = dirname(here);
      continue;
    }
    const next = join(here, part);
    const target = linkTarget(next);
    if (target === undefined) {
      here = next;
      continue;
    }
    if (++links > maxLinks) return { written, real: written, spellings: [...spellings], isLoop: true };
    spellings.add(resolve(next, ...rest.slice().reverse()));
    rest.push(...target.split("/").reverse());
    if (isAbsolute(target)) here = "/";
  }
  spellings.add(here);
  return { written, real: here, spellings: [...spellings], isLoop: false };
};

/** The real path of a folder, or the path itself when it does not exist. */
export const realFolder = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};

const known = new WeakMap<object, Map<string, string>>();

/** Like realFolder, looked up once for each decision context: its anchors and working folders come up for every path. */
export const realFolderFor = (context: object, path: string): string => {
  let paths = known.get(context);
  if (!paths) {
    paths = new Map();
    known.set(context, paths);
  }
  let real = paths.get(path);
  if (real === undefined) {
    real = realFolder(path);
    paths.set(path, real);
  }
  return real;
};

/** Comparable form of a path for checks that must not miss: composed letters, one case. */
export const fold = (path: string): string => path.normalize("NFC").toLowerCase();

/** Whether `path` is `folder` or lies below it, by whole segments. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
