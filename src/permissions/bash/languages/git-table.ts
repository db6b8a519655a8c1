// Which git subcommands only read, with the options that keep them so.

export interface GitEntry {
  /** Options that are refused although the subcommand reads; prefixes of long options count. */
  never?: readonly string[];
  /** When set, only these options are accepted. */
  only?: readonly string[];
  /** Options (of `only` or any) whose value is the next word. */
  valued?: readonly string[];
  /** Whether operands are allowed: never, always, or only with one of these options. */
  operands: "none" | "any" | readonly string[];
  /** First words that choose a reading form; `""` is the form without words. */
  forms?: readonly string[];
  /** Prints paths below the current folder: always or with one of these options. */
  lists?: true | readonly string[];
  /** Shows file contents or diffs that a Read rule may cover. */
  isShowing?: boolean;
}

const split = (text: string): string[] => text.split(" ");

/** Refused everywhere: they write files, run programs or read outside the repository. */
export const gitNever: readonly string[] = split(
  "--output --ext-diff --textconv -O --open-files-in-pager --no-index --contents --upload-pack --exec --filters --help --web -h --show-signature",
);

const any: GitEntry = { operands: "any" };

export const gitTable: ReadonlyMap<string, GitEntry> = new Map<string, GitEntry>([
  ["status", { operands: "any" }],
  [
    "log",
    {
      ...any,
      valued: split("-n -S -G --author --grep --since --until --after --before --format --max-count --skip -L"),
      isShowing: true,
    },
  ],
  ["diff", { ...any, valued: split("-S -G -U"), lists: ["--name-only"], isShowing: true }],
  ["show", { ...any, valued: ["-S", "-G", "-U", "--format"], isShowing: true }],
  ["blame", { ...any, valued: ["-L", "--since"], isShowing: true }],
  ["shortlog", { operands: "any" }],
  ["describe", any],
  ["rev-parse", { operands: "any", never: ["--parseopt", "--sq-quote"] }],
  ["rev-list", any],
  ["ls-files", { ...any, valued: ["-x", "--exclude"], never: ["-X", "--exclude-from"], lists: true }],
  ["ls-tree", { ...any }],
  ["cat-file", { operands: "any", only: split("-t -s -p -e"), isShowing: true }],
  ["merge-base", any],
  ["name-rev", { operands: "any", never: ["--stdin", "--annotate-stdin"] }],
  [
    "for-each-ref",
    { operands: "any", valued: ["--format", "--sort", "--count"], never: ["--shell", "--perl", "--python", "--tcl"] },
  ],
  ["show-ref", { operands: "any", never: ["--exclude-existing"] }],
  ["check-ignore", { operands: "any", never: ["--stdin"] }],
  ["count-objects", { operands: "none" }],
  ["version", { operands: "none" }],
  [
    "grep",
    {
      operands: "any",
      valued: split("-e -f -A -B -C -m --max-depth --threads"),
      never: ["-f", "-O"],
      lists: ["-l", "-L", "--files-with-matches", "--name-only", "--files-without-match"],
      isShowing: true,
    },
  ],
  ["diff-tree", { ...any, isShowing: true }],
  ["var", { operands: "any" }],
  ["stash", { operands: "any", forms: ["list", "show"], isShowing: true }],
  [
    "branch",
    {
      operands: split("--list -l --contains --no-contains --merged --no-merged --points-at"),
      only: split(
        "--list -l -a --all -r --remotes -v -vv --verbose --show-current --contains --no-contains --merged --no-merged --points-at --sort --format --column --no-column --color --no-color --abbrev --no-abbrev -i --ignore-case -q --quiet",
      ),
      valued: ["--sort", "--format"],
    },
  ],
  [
    "tag",
    {
      operands: split("--list -l --contains --no-contains --merged --no-merged --points-at -n"),
      only: split(
        "--list -l -n --contains --no-contains --merged --no-merged --points-at --sort --format --column --no-column --color -i --ignore-case",
      ),
      valued: ["--sort", "--format"],
    },
  ],
  ["remote", { operands: "none", only: ["-v", "--verbose"], forms: ["", "get-url"] }],
  ["reflog", { operands: "any", never: split("--expire --rewrite --updateref") }],
  ["worktree", { operands: "none", forms: ["list"], only: ["--porcelain", "-v", "--verbose", "-z"] }],
  ["notes", { operands: "any", forms: ["show", "list"], only: [] }],
  ["symbolic-ref", { operands: "any", only: ["--short", "-q", "--quiet", "--no-recurse"] }],
  [
    "config",
    {
      operands: "any",
      only: split(
        "--get --get-all --get-regexp --get-urlmatch --list -l --show-origin --show-scope --name-only --global --local --system --worktree --bool --int --path --type --default -z --null --includes --no-includes",
      ),
      valued: ["--type", "--default"],
    },
  ],
]);

/** Global options that change nothing but the pager, locks and patterns. */
export const gitGlobals: ReadonlySet<string> = new Set(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);

/** Global options whose value is the next word. */
export const gitGlobalValued: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
  "--attr-source",
]);
