// The texts of --help and --version, made from the flag list.
import { type Flag, flags } from "./flags.js";

/** What `--version` prints. Hosts read the N.N.N at its start. */
export const versionLine = (version: string): string => `${version} (compatible with Claude Code 2.1)`;

const usage = (flag: Flag): string => {
  const names = [flag.name, ...(flag.aliases ?? [])];
  const short = names.filter((name) => name.length === 1).map((name) => `-${name}`);
  const long = names.filter((name) => name.length > 1).map((name) => `--${name}`);
  const value = flag.value ?? "";
  const values = { switch: "", value: ` <${value}>`, list: ` <${value}...>`, optional: ` [${value}]` };
  return [...short, ...long].join(", ") + values[flag.kind ?? "switch"];
};

const rows = (shown: readonly Flag[]): string[] => {
  const usages = shown.map(usage);
  const width = Math.min(44, Math.max(...usages.map(({ length }) => length)));
  return shown.map((flag, index) => {
    const left = usages[index] ?? "";
    const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
    const gap = left.length > width ? `\n${" ".repeat(width + 4)}` : " ".repeat(width - left.length + 2);
    return `  ${left}${gap}${flag.doc}${choices}`;
  });
};

/** What `--help` prints, without a newline at the end. Flags that are not built are not shown. */
export const helpText = (): string => {
  const built = flags.filter(({ isBuilt }) => isBuilt !== false);
  const of = (audience: Flag["audience"]) => built.filter((flag) => flag.audience === audience);
  return [
    "Usage: claude [options] [prompt]",
    "",
    "Opens a coding agent in this folder; a prompt is submitted at once.",
    'With -p it answers and exits: claude -p "prompt", or cat file | claude -p "prompt".',
    "",
    "Options:",
    ...rows(of("everyone")),
    "",
    "Options for -p:",
    ...rows(of("headless")),
    "",
    "Commands of their own (each with --help):",
    '  claude permissions test "<command>"   what would happen to a shell command here, and why',
    "  claude audit [session]                the permission decisions of a session",
    "  claude project purge [folder]         deletes what is kept of a project: sessions, memory, prompts",
    "",
    "Inside a session, /help shows the commands.",
  ].join("\n");
};
