// What a command in the sandbox may touch: settings, rules and the protected list, as plain lists of paths and hosts.
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Settings } from "../settings/schema.js";

export type SandboxSettings = NonNullable<Settings["sandbox"]>;

export interface SandboxPolicy {
  allowWrite: string[];
  denyWrite: string[];
  denyRead: string[];
  allowRead: string[];
  allowedHosts: string[];
  deniedHosts: string[];
}

/** Paths of one layer's settings and the folder that relative ones hang under. */
export interface LayerPaths {
  filesystem: NonNullable<SandboxSettings["filesystem"]>;
  base: string;
}

export interface PolicyInput {
  /** Folders the session works in, the start folder first. */
  workingDirs: readonly string[];
  home: string;
  /** The session's own folder for temporary files. */
  tmpDir: string;
  layers: readonly LayerPaths[];
  network: { allowedDomains?: readonly string[]; deniedDomains?: readonly string[] };
  /** What permission rules add. */
  rules: Pick<SandboxPolicy, "allowWrite" | "denyWrite" | "denyRead" | "allowedHosts" | "deniedHosts">;
  /** The settings folder and the state file: never writable. */
  ownFiles: readonly string[];
}

// spec/permissions.md section 9, where they lie at the top of a working folder; bound read-only even before they exist.
const protectedNames = (
  ".vscode .idea .husky .cargo .devcontainer .yarn .mvn .config/git .gitmodules .gitconfig .npmrc .yarnrc .yarnrc.yml " +
  ".pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .envrc " +
  ".pre-commit-config.yaml lefthook.yml lefthook.yaml .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json .claude"
).split(" ");
/** Of a repository that exists only what makes git run programs; a new one must not come from inside at all. */
const gitNames = [".git/hooks", ".git/config", ".git/config.worktree", ".git/info/attributes", ".git/modules"];

const startFiles =
  ".bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin .zlogout .profile .envrc .gitconfig .config/git .ssh .claude .claude.json".split(
    " ",
  );

/** The protected paths of the working folders and of the home folder. */
export const protectedPaths = ({ workingDirs, home }: Pick<PolicyInput, "workingDirs" | "home">): string[] => [
  ...workingDirs.flatMap((dir) => [
    ...protectedNames.map((name) => join(dir, name)),
    ...(existsSync(join(dir, ".git")) ? gitNames.map((name) => join(dir, name)) : [join(dir, ".git")]),
  ]),
  ...startFiles.map((name) => join(home, name)),
];

const expand = (path: string, base: string, home: string): string => {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(base, path);
};

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/** The policy in force. What is denied wins over what is allowed. */
export const sandboxPolicy = (input: PolicyInput): SandboxPolicy => {
  const { workingDirs, home, tmpDir, layers, network, rules, ownFiles } = input;
  const of = (key: "allowWrite" | "denyWrite" | "denyRead" | "allowRead"): string[] =>
    layers.flatMap(({ filesystem, base }) => (filesystem[key] ?? []).map((path) => expand(path, base, home)));
  return {
    allowWrite: unique([...workingDirs, tmpDir, ...of("allowWrite"), ...rules.allowWrite]),
    denyWrite: unique([...protectedPaths(input), ...ownFiles, ...of("denyWrite"), ...rules.denyWrite]),
    denyRead: unique([...of("denyRead"), ...rules.denyRead]),
    allowRead: unique(of("allowRead")),
    allowedHosts: unique([...(network.allowedDomains ?? []), ...rules.allowedHosts]).filter((host) => host !== "*"),
    deniedHosts: unique([...(network.deniedDomains ?? []), ...rules.deniedHosts]),
  };
};
