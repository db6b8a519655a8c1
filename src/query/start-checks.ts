// What is wrong with the flags of a start: rules that are none, tools that do not exist, an id that is in use.
import { access, stat } from "node:fs/promises";
import { nearest } from "../lib/nearest.js";
import { parseRule } from "../permissions/rules.js";
import { expandPath } from "../platform/paths.js";
import { canonicalTool } from "../settings/rule-text.js";
import { createTools, findTool } from "../tools/index.js";
import { type Session, transcriptFile } from "./session.js";
import { toolsElsewhere } from "./settings-report.js";

const ruleProblem = (flag: string, texts: readonly string[] | undefined): string | undefined => {
  for (const text of texts ?? []) {
    const rule = parseRule(text, { behavior: "deny", source: "cliArg", root: "/" });
    if (typeof rule === "string") return `${flag}: this is no rule: ${rule}.`;
  }
  return undefined;
};

const toolsProblem = (names: readonly string[] | undefined): string | undefined => {
  const tools = createTools({ hasBackground: true });
  const known = [...tools.map(({ name }) => name), ...toolsElsewhere];
  for (const name of names ?? []) {
    if (name === "" || name.startsWith("mcp__") || findTool(name, tools)) continue;
    if (known.includes(canonicalTool(name))) continue;
    const near = nearest(name, known);
    return `--tools: there is no tool named ${name}.${near ? ` Did you mean ${near}?` : ` There are: ${known.join(", ")}.`}`;
  }
  return undefined;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Why a session with these flags must not start; undefined when it may. */
export const flagProblem = async (session: Session): Promise<string | undefined> => {
  const { flags } = session.options;
  const problem =
    ruleProblem("--allowedTools", flags.allowedTools) ??
    ruleProblem("--disallowedTools", flags.disallowedTools) ??
    toolsProblem(flags.tools);
  if (problem) return problem;
  if (flags.sessionId !== undefined && (await exists(transcriptFile({ ...session, id: flags.sessionId }))))
    return `--session-id ${flags.sessionId}: this id is in use: use --resume ${flags.sessionId} to go on with it.`;
  return undefined;
};

/** Folders that the settings add and that are not there, one line each. */
export const missingFolders = async ({ settings, options, places }: Session): Promise<string[]> => {
  const lines: string[] = [];
  for (const folder of settings.get("permissions")?.additionalDirectories ?? []) {
    const found = await stat(expandPath(folder, options.cwd, places.home)).catch(() => undefined); // told below
    if (!found) lines.push(`permissions.additionalDirectories: there is no folder ${folder}`);
    else if (!found.isDirectory()) lines.push(`permissions.additionalDirectories: ${folder} is a file, not a folder`);
  }
  return lines;
};
