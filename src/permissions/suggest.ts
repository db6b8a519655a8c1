// "Don't ask again" offers. Each says exactly what it would cover; what cannot be said shortly is not offered.
import { dirname, relative } from "node:path";
import type { PermissionUpdate, Suggestion } from "../protocol/permission.js";
import type { ShellPart } from "./bash/analysis.js";
import { isOwnSettings, ownSettingsContent, resolveGiven } from "./paths.js";
import { isBelow, realFolder } from "./resolve.js";
import type { DecisionContext, DecisionRequest } from "./types.js";

const maxRules = 5; // more than this nobody reads

const addRules = (
  rules: { toolName: string; ruleContent?: string }[],
  destination: "session" | "localSettings",
): PermissionUpdate => ({
  type: "addRules",
  rules,
  behavior: "allow",
  destination,
});

/** Escapes what a gitignore pattern would read as more than a name. */
const escapePattern = (path: string): string => path.replace(/[\\*?[\]!#]/g, "\\$&");

/** Offers for a call of a file tool. */
export const suggestForPaths = ({ facts }: DecisionRequest, context: DecisionContext): Suggestion[] => {
  const [write] = facts?.writes ?? [];
  const isInside = (path: string) =>
    context.workingDirs.some((dir) => isBelow(path, dir) || isBelow(path, realFolder(dir)));
  if (write !== undefined) {
    if (!isInside(write)) return [];
    const updates: PermissionUpdate[] = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    return [{ label: "allow all edits in the working folders during this session", updates }];
  }
  const outside = (facts?.reads ?? []).filter((path) => !isInside(path));
  const folders = [...new Set(outside.map((path) => dirname(path)))].filter((folder) => folder !== "/");
  if (folders.length !== 1 || folders[0] === undefined || folders[0] === context.home) return [];
  const [folder] = folders;
  return [
    {
      label: `allow reading from ${folder}/ during this session`,
      updates: [addRules([{ toolName: "Read", ruleContent: `/${escapePattern(folder)}/**` }], "session")],
    },
  ];
};

/** The offer to edit the project's own `.claude` folder for the rest of the session; none for other protected files. */
export const suggestForOwnSettings = ({ facts }: DecisionRequest, context: DecisionContext): Suggestion[] => {
  const [root] = context.workingDirs;
  const writes = facts?.writes ?? [];
  if (root === undefined || context.mode === "plan") return [];
  if (!writes.every((path) => isOwnSettings(resolveGiven(path, context), root))) return [];
  const rule = { toolName: "Edit", ruleContent: ownSettingsContent };
  const label = "allow editing this project's own settings (.claude/) during this session";
  return [{ label, updates: [addRules([rule], "session")] }];
};

/** Offers for any other tool. */
export const suggestForTool = ({ tool, input }: DecisionRequest): Suggestion[] => {
  if (tool === "WebFetch") {
    const url = String(input.url ?? "");
    if (!URL.canParse(url)) return [];
    const { hostname } = new URL(url);
    const rule = { toolName: tool, ruleContent: `domain:${hostname}` };
    return [{ label: `don't ask again for ${hostname} in this project`, updates: [addRules([rule], "localSettings")] }];
  }
  if (tool === "Skill") {
    const name = String(input.skill ?? input.name ?? "");
    if (name === "") return [];
    const rule = { toolName: tool, ruleContent: name };
    return [
      { label: `don't ask again for the skill ${name} in this project`, updates: [addRules([rule], "localSettings")] },
    ];
  }
  return [
    {
      label: `don't ask again for ${tool} in this project`,
      updates: [addRules([{ toolName: tool }], "localSettings")],
    },
  ];
};

/** Programs whose second word says what they do. */
const withSubcommand: ReadonlySet<string> = new Set(
  (
    "git npm pnpm yarn bun cargo go docker kubectl gh make pip pip3 poetry uv brew apt apt-get dotnet mvn gradle " +
    "terraform helm aws gcloud az systemctl deno rustup composer bundle rails mix"
  ).split(" "),
);
/** Programs that run what their arguments say: no rule is offered for them. */
const neverOffered: ReadonlySet<string> = new Set(
  (
    "sh bash zsh dash ksh fish node deno python python2 python3 perl ruby php lua eval source . exec sudo doas su env " +
    "xargs parallel watch setsid flock ionice npx bunx pnpx uvx chroot busybox"
  ).split(" "),
);
/** Programs that are offered only as they stand. */
const offeredExactly: ReadonlySet<string> = new Set("find awk gawk sed ssh rm dd nc curl wget tee".split(" "));
const runners: ReadonlySet<string> = new Set(["run", "exec", "test", "x", "dlx"]);

/** The rule one part would be saved as; undefined when none may be offered. */
const ruleFor = ({ allowText, isStatic, unruled }: ShellPart): string | undefined => {
  if (unruled.length > 0 || allowText === "" || allowText.includes("*")) return undefined;
  const words = allowText.split(" ");
  const [name = "", second, third] = words;
  if (!/^[A-Za-z0-9_.+-]+$/.test(name)) return isStatic ? allowText : undefined;
  if (allowText.includes("\n")) return isStatic ? allowText : undefined;
  if (neverOffered.has(name)) return undefined;
  if (offeredExactly.has(name)) return isStatic ? allowText : undefined;
  if (!withSubcommand.has(name)) return words.length === 1 ? name : `${name} *`;
  if (second === undefined || !/^[a-z][a-z0-9:_-]*$/i.test(second)) return isStatic ? allowText : undefined;
  if (runners.has(second) && third !== undefined && /^[a-z][a-z0-9:_.-]*$/i.test(third))
    return `${name} ${second} ${third} *`;
  return runners.has(second) && second !== "test" && third !== undefined && !isStatic
    ? undefined
    : `${name} ${second} *`;
};

/** Offers for a shell command: one rule per part that needed approval; none when a part cannot be covered. */
export const suggestForShell = (parts: readonly ShellPart[], context: DecisionContext): Suggestion[] => {
  const contents = [...new Set(parts.map(ruleFor))];
  if (contents.length === 0 || contents.length > maxRules || contents.includes(undefined)) return [];
  const rules = contents.flatMap((content) =>
    content === undefined ? [] : { toolName: "Bash", ruleContent: content },
  );
  const folder = relative(context.home, context.projectRoot).startsWith("..")
    ? context.projectRoot
    : `~/${relative(context.home, context.projectRoot)}`;
  const label = `don't ask again for ${rules.map(({ ruleContent }) => ruleContent).join(", ")} in ${folder}`;
  return [{ label, updates: [addRules(rules, "localSettings")] }];
};
