// Files and folders that a write never reaches unasked: they make programs run or widen rights.
import { homedir } from "node:os";
import { dirname } from "node:path";
import { fold, isBelow, realFolder, resolvePhysical } from "./resolve.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const folders = words(".git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude");
const shellFiles = words(
  ".bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin .zlogout .profile .envrc",
);
const files = words(
  ".gitconfig .gitmodules .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml " +
    ".bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml " +
    "gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json",
);

/** Segments compared the way a careless file system would: folded, without trailing dots and blanks. */
const segmentsOf = (path: string): string[] =>
  fold(path)
    .split("/")
    .map((segment) => segment.replace(/[. ]+$/, (tail, at) => (at === 0 ? tail : "")))
    .filter((segment) => segment !== "");

export type Protection = "protected" | "persistence";

/**
 * How a path is protected against writing: `persistence` files start programs or grant rights later and ask in every
 * mode; `protected` ones ask in every mode but bypassPermissions.
 */
export const protectionOf = (path: string): Protection | undefined => {
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? "";
  let isProtected = files.has(last);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (segment === ".claude" && next === "worktrees") continue;
    if (segment === ".claude" && next !== undefined && /^settings.*\.json$/.test(next)) return "persistence";
    if (segment === ".git" && next === "hooks") return "persistence";
    if (folders.has(segment) || (segment === ".config" && next === "git")) isProtected = true;
  }
  if (shellFiles.has(last) || last === ".mcp.json") return "persistence";
  return isProtected ? "protected" : undefined;
};

/** What of the system removal must not touch unasked: the root, its children, home, the folder worked in and above. */
export const isCriticalFolder = (path: string, cwd: string, workingDirs: readonly string[], home: string): boolean => {
  const places = [resolvePhysical(path, cwd).written, resolvePhysical(path, cwd).real];
  const roots = [...workingDirs, cwd, home, homedir()].flatMap((folder) => [folder, realFolder(folder)]);
  return places.some((place) => place === "/" || dirname(place) === "/" || roots.some((root) => isBelow(root, place)));
};

/** Devices and process files that no reader opens unasked: secrets, or reads that never end. */
export const isSecretOrDevice = (path: string): boolean =>
  /^\/proc(\/|$)/.test(path) || (/^\/dev\//.test(path) && !/^\/dev\/(null|zero|stdin|stdout|stderr|tty)$/.test(path));
