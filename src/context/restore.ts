// What is put back behind a summary: files read last, plan, todo list, skills, agents, loaded tools. Pure: contents come in as values.
import { headAndTail } from "../lib/head-tail.js";
import type { Todo } from "../protocol/display.js";
import {
  allFilesTokens,
  allSkillsTokens,
  charsPerToken,
  filesRestored,
  fileTokens,
  requestChars,
  skillTokens,
} from "./numbers.js";

export interface NamedText {
  name: string;
  text: string;
}

export interface RestoreParts {
  /** Read in this conversation, newest first. */
  files?: readonly NamedText[];
  plan?: NamedText;
  todos?: readonly Todo[];
  /** Invoked, newest first. */
  skills?: readonly NamedText[];
  /** One line an agent. */
  agents?: readonly string[];
  /** Names of deferred tools that were loaded. */
  loadedTools?: readonly string[];
}

/** As many texts as fit: each at most `each` tokens, together at most `all`. */
const fitting = (texts: readonly NamedText[], each: number, all: number): NamedText[] => {
  const out: NamedText[] = [];
  let left = all * charsPerToken;
  for (const { name, text } of texts) {
    const room = Math.min(each * charsPerToken, left);
    if (room < 200) break; // a scrap of a file helps nobody
    const kept = text.length <= room ? text : headAndTail(text, (room - 60) / 2);
    left -= kept.length;
    out.push({ name, text: kept });
  }
  return out;
};

const todoLine = ({ status, subject, id }: Todo): string =>
  `- [${status === "completed" ? "x" : status === "in_progress" ? ">" : " "}] ${subject} (${id})`;

const safe = (text: string): string => text.replace(/<(\/?)system-reminder>/gi, "&lt;$1system-reminder>");

const section = (title: string, lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : [`# ${title}`, ...lines].join("\n\n");

/** The reminder behind a summary; undefined when there is nothing to put back. */
export const restoredText = (parts: RestoreParts): string | undefined => {
  const files = fitting((parts.files ?? []).slice(0, filesRestored), fileTokens, allFilesTokens);
  const skills = fitting(parts.skills ?? [], skillTokens, allSkillsTokens);
  const { plan, todos = [], agents = [], loadedTools = [] } = parts;
  const sections = [
    plan && section("Plan", [`The plan file \`${plan.name}\`:`, plan.text.trim()]),
    todos.length > 0
      ? section("Tasks", ["The task list as it is now ([>] is being worked on):", todos.map(todoLine).join("\n")])
      : undefined,
    section(
      "Files",
      files.map(({ name, text }) => `\`${name}\` as it is on disk now:\n${text}`),
    ),
    section(
      "Skills in use",
      skills.map(({ name, text }) => `${name}:\n${text}`),
    ),
    agents.length > 0 ? section("Agents", [agents.map((line) => `- ${line}`).join("\n")]) : undefined,
    loadedTools.length > 0 ? section("Loaded tools", [loadedTools.join(", ")]) : undefined,
  ].filter(Boolean);
  if (sections.length === 0) return undefined;
  return `<system-reminder>\n${safe(["Put back after the summary, for reference; there is no need to mention it.", ...sections].join("\n\n"))}\n</system-reminder>`;
};

/** The last request as it stands beside a summary. */
export const requestText = (request: string): string => headAndTail(request.trim(), requestChars / 2);
