// What works in a git worktree must not change the main checkout: a call that would is refused, whatever the rules and the mode allow.
import { join, relative } from "node:path";
import type { ShellAnalysis, ShellPart } from "./bash/analysis.js";
import { matchesCommand } from "./match.js";
import { matchesPath } from "./patterns.js";
import { decision } from "./reasons.js";
import { isBelow, realFolder, resolvePhysical } from "./resolve.js";
import type { Decision, DecisionContext, DecisionRequest, Rule } from "./types.js";

export interface WorktreePlace {
  path: string;
  /** Top folder of the main checkout. */
  mainRoot: string;
}

interface Places {
  own: string[];
  main: string[];
  home: string;
}

const placesOf = ({ path, mainRoot }: WorktreePlace, home: string): Places => ({
  own: [path, realFolder(path)],
  main: [mainRoot, realFolder(mainRoot)],
  home,
});

const isLeaving = (path: string, { own, main }: Places): boolean =>
  main.some((folder) => isBelow(path, folder)) && !own.some((folder) => isBelow(path, folder));

/** A path that lies in the main checkout by any spelling; links are followed. */
const leaves = (given: string, cwd: string, places: Places): boolean =>
  resolvePhysical(given, cwd).spellings.some((spelling) => isLeaving(spelling, places));

/** A rule of the main checkout as it reads in the worktree; undefined: it holds there as it is. */
const movedRule = (rule: Rule, { path, mainRoot }: WorktreePlace): Rule | undefined => {
  const { content = "", root, behavior } = rule;
  if (!isBelow(root, mainRoot)) return undefined;
  const moved = join(path, relative(mainRoot, root));
  if (content.startsWith("/") && !content.startsWith("//")) return { ...rule, root: moved };
  // What restricts is read from the working folder anyway, and a pattern without a slash holds at any depth.
  const isPath = ["Read", "Edit"].includes(rule.tool) && behavior === "allow" && /^[^/~].*\//.test(content);
  return isPath ? { ...rule, root: moved, content: `/${content.replace(/^\.\//, "")}` } : undefined;
};

/** The rules of a session as they hold in a worktree of its repository. */
export const rulesInWorktree = (rules: readonly Rule[], worktree: WorktreePlace): Rule[] => [
  ...rules,
  ...rules.flatMap((rule) => movedRule(rule, worktree) ?? []),
];

/** Allow rules that name the main checkout by its absolute path: only they let out. */
const namingRules = (rules: readonly Rule[], tool: "Edit" | "Bash", { main }: Places): Rule[] =>
  rules.filter(
    ({ behavior, tool: own, content = "" }) =>
      behavior === "allow" &&
      own === tool &&
      main.some((folder) => (tool === "Edit" ? content.startsWith(`/${folder}`) : content.includes(folder))),
  );

const refuse = (text: string): Decision => decision("deny", [{ kind: "path", text, check: "W0" }]);

/** The folders that a shell knows by name. */
const withFolders = (word: string, cwd: string, { home, main: [mainRoot = ""] }: Places): string =>
  word
    .replace(/^~(?=\/|$)/, home)
    .replace(/^\$\{?HOME\b\}?/, home)
    .replace(/^\$\{?PWD\b\}?/, cwd)
    .replace(/^\$\{?(OLDPWD|CLAUDE_PROJECT_DIR)\b\}?/, mainRoot);

/** A word of a command that leads into the main checkout: as a path, or behind an option's letter. */
const leavingWord = (text: string, cwd: string, places: Places): string | undefined =>
  text
    .split(/[\s'"`=:,;|&<>()]+/)
    .filter((word) => word !== "")
    .find((word) => {
      const known = withFolders(word, cwd, places);
      const forms = [known, known.slice(Math.max(0, known.indexOf("/"))), known.replace(/^-+[A-Za-z]/, "")];
      return forms.some((form) => (form.includes("/") || form.startsWith("..")) && leaves(form, cwd, places));
    });

/** It takes a folder from a value that is not known. */
const takesUnknownFolder = ({ isStatic, text }: ShellPart): boolean =>
  !isStatic && /(^|\s)(-C|--git-dir|--work-tree|--directory|--chdir)\b|\bGIT_(DIR|WORK_TREE)=/.test(text);

/** Git commands that change what all worktrees share: other branches, the settings, the list of worktrees. */
const sharedGit =
  /\bgit\b(?:\s+-\S+(?:\s+[^-\s]\S*)?)*?\s+(update-ref|symbolic-ref|config|worktree|replace|filter-branch|fast-import|pack-refs|gc|prune|reflog|remote|submodule|push\s+\.|fetch\s+\.)(?=\s|$)/;

/** It asks git where the main checkout is, or climbs from a place that is not known. */
const findsMain =
  /--(?:git-common-dir|absolute-git-dir|git-dir|git-path|show-superproject-working-tree)\b|\bgit\s+worktree\s+list\b|(?:\$\w+|\$\{[^}]*\}|\)|`)["']?\/\.\.(?=\/|["'\s]|$)/;

/** It only looks at what it is given, and nothing of it is unknown. */
const onlyReads = ({ findings, writes }: ShellPart): boolean => findings.length === 0 && writes.length === 0;

/** Why a part of a command is refused; undefined: it stays in the worktree. */
const partProblem = (part: ShellPart, cwd: string, places: Places): string | undefined => {
  if (part.cwd !== undefined && isLeaving(realFolder(part.cwd), places))
    return `${part.text} would run in the main checkout (${part.cwd})`;
  const target = [...part.writes, ...part.removals].find(({ path, glob, under }) =>
    [path, glob, under].some((place) => place !== undefined && leaves(place, part.cwd ?? cwd, places)),
  );
  if (target) return `${part.text} would change ${target.text} in the main checkout`;
  if (onlyReads(part)) return undefined;
  if (part.cwd === undefined || takesUnknownFolder(part))
    return `it is not known in which folder ${part.text} would run`;
  const shared = sharedGit.exec(part.text)?.[1];
  if (shared) return `git ${shared} changes what all worktrees of the repository share`;
  const word = leavingWord(part.text, part.cwd, places);
  return word === undefined
    ? undefined
    : `${part.text} names ${word} in the main checkout and is not known to only read`;
};

/** The same for a whole command. */
const commandProblem = (
  command: string,
  shell: ShellAnalysis,
  { cwd, rules }: Pick<DecisionContext, "cwd" | "rules">,
  places: Places,
): string | undefined => {
  const naming = namingRules(rules, "Bash", places);
  const target = shell.redirections.find(
    ({ access, target: { path, glob } }) =>
      access === "write" && [path, glob].some((place) => place !== undefined && leaves(place, cwd, places)),
  );
  if (target) return `${target.text} would write into the main checkout`;
  const isLetOut = ({ allowText }: ShellPart) => naming.some(({ content = "" }) => matchesCommand(content, allowText));
  const others = shell.parts.filter((part) => !isLetOut(part));
  for (const part of others) {
    const problem = partProblem(part, cwd, places);
    if (problem) return problem;
  }
  // What assigns, or cannot be seen as parts, is judged by its words.
  if (!shell.isOpaque && shell.findings.length === 0 && others.every(onlyReads)) return undefined;
  if (others.some((part) => !onlyReads(part)) || shell.isOpaque) {
    const found = findsMain.exec(command)?.[0];
    if (found) return `${found} may lead into the main checkout, and it is not known to only read`;
  }
  const word = leavingWord(command, cwd, places);
  return word === undefined ? undefined : `it names ${word} in the main checkout and is not known to only read`;
};

/** The refusal of a call that would leave the worktree; undefined: it does not. Without an analysis a command is judged by its words. */
export const worktreeRefusal = (
  { facts }: DecisionRequest,
  context: DecisionContext,
  worktree: WorktreePlace,
  shell?: ShellAnalysis,
): Decision | undefined => {
  const { cwd, rules, home } = context;
  const places = placesOf(worktree, home);
  const naming = namingRules(rules, "Edit", places);
  const isNamed = (path: string) =>
    naming.some((rule) => matchesPath(rule, resolvePhysical(path, cwd).real, context, { platform: context.platform }));
  const written = facts?.writes.find((path) => leaves(path, cwd, places) && !isNamed(path));
  if (written !== undefined) {
    const same = join(worktree.path, relative(worktree.mainRoot, written));
    return refuse(`${written} is in the main checkout, and this works in a worktree of its own: use ${same}`);
  }
  if (facts?.command === undefined) return undefined;
  const problem = shell
    ? commandProblem(facts.command, shell, context, places)
    : leavingWord(facts.command, cwd, places) && "it names the main checkout";
  return problem ? refuse(`${problem}; this works in a worktree of its own: stay in ${worktree.path}`) : undefined;
};
