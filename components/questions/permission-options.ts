// What a permission dialog says and offers, worked out from the question alone.
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth } from "../../src/lib/text-width.js";
import type { PermissionUpdate } from "../../src/protocol/permission.js";
import type { AnswerOf, QuestionOf } from "../../src/protocol/questions.js";

type PermissionQuestion = QuestionOf<"permission">;

export interface PermissionOption {
  id: "yes" | "no" | `suggestion-${number}`;
  label: string;
  outcome: "allow" | "deny";
  updates?: PermissionUpdate[];
}

const acceptsEdits = (updates: readonly PermissionUpdate[]): boolean =>
  updates.some((update) => update.type === "setMode" && update.mode === "acceptEdits");

/** Yes, the offers of the question in their order, and No: always first, in between, and last. */
export const permissionOptions = (question: PermissionQuestion): PermissionOption[] => [
  {
    id: "yes",
    label: question.display?.kind === "diff" || question.suggestions.length === 0 ? "Yes" : "Yes, once",
    outcome: "allow",
  },
  ...question.suggestions.map(
    ({ label, updates }, at): PermissionOption => ({
      id: `suggestion-${at}`,
      label: `${/^yes\b/i.test(label) ? "" : "Yes, and "}${sanitise(label)}${acceptsEdits(updates) ? " (shift+tab)" : ""}`,
      outcome: "allow",
      updates,
    }),
  ),
  { id: "no", label: "No, and say what to do instead", outcome: "deny" },
];

/** The offer that Shift+Tab takes: all edits of this session. */
export const allowEditsOption = (options: readonly PermissionOption[]): PermissionOption | undefined =>
  options.find(({ updates }) => updates !== undefined && acceptsEdits(updates));

const workWidth = 30; // cells: beside a name and a path it fits on 80

const agentText = ({ name, description = "" }: NonNullable<PermissionQuestion["agent"]>): string => {
  const work = sanitise(description).replace(/\s+/g, " ").trim();
  return work === "" ? sanitise(name) : `${sanitise(name)} (${cutToWidth(work, workWidth)})`;
};

/** The dialog's title: who asks, for which work, and what kind of thing it is. */
export const permissionTitle = (question: PermissionQuestion): string => {
  const title = kindTitle(question);
  return question.agent ? `${agentText(question.agent)} asks: ${title[0]!.toLowerCase()}${title.slice(1)}` : title;
};

const kindTitle = ({ tool, title, display }: PermissionQuestion): string => {
  if (display?.kind === "shell" || tool === "Bash") return "Run this command?";
  if (display?.kind === "diff")
    return `${display.change === "create" ? "Create" : "Change"} ${sanitise(display.path)}?`;
  if (tool === "Read" || tool === "Glob" || tool === "Grep") return `Read ${sanitise(title)}?`;
  if (tool === "WebFetch") return "Fetch this page?";
  return `Use ${sanitise(tool)}?`;
};

/** Why it is asked, in one sentence; the rule or check that decided is named. */
export const reasonLine = ({ reasons }: PermissionQuestion): string => {
  const texts = reasons.map(({ text, rule, source }) => {
    const origin = rule === undefined ? "" : ` (${rule}${source === undefined ? "" : `, ${source} settings`})`;
    return `${text}${origin}`;
  });
  return texts.length === 0 ? "" : `Asked because: ${sanitise(texts.join("; "))}`;
};

/** The answer of an option, with what was typed beside it. A bare No stops the run; an agent's only refuses the call. */
export const permissionAnswer = (
  question: PermissionQuestion,
  option: PermissionOption,
  comment: string,
): AnswerOf<"permission"> => ({
  kind: "permission",
  outcome: option.outcome,
  ...(comment === "" ? {} : { comment }),
  ...(option.updates === undefined ? {} : { updates: option.updates }),
  ...(option.outcome === "deny" && comment === "" && question.agent === undefined ? { interrupt: true } : {}),
});

/** The call in words, for tools whose question brings no display. */
export const inputText = ({ tool, title, input }: PermissionQuestion): string => {
  const command = input.command;
  if (tool === "Bash" && typeof command === "string") return command;
  const values = Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [title, ...values].filter((line) => line !== "").join("\n");
};
