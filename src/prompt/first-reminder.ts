// The reminder in the first user message: instructions, date, git state. It stays out of the system prompt so that it never breaks its cache.
import type { Instruction, InstructionKind } from "./instructions.js";

/** State of the repository when the session began. */
export interface GitFacts {
  branch: string;
  mainBranch?: string;
  /** Lines of `git status --short`; empty: clean. */
  status: string;
  isStatusCut?: boolean;
  /** Newest first, one a line, or a list of them. */
  recentCommits: string | readonly string[];
}

export interface FirstReminderParts {
  instructions: readonly Instruction[];
  /** ISO date, YYYY-MM-DD, in the person's time zone. */
  date: string;
  git?: GitFacts;
  /** Further sections, e.g. the memory index: a title and its text. */
  more?: readonly { title: string; text: string }[];
}

/** Wraps a notice of this program. A closing tag inside the text cannot end it early. */
export const reminder = (text: string): string =>
  `<system-reminder>\n${text.replace(/<(\/?)system-reminder>/gi, "&lt;$1system-reminder>")}\n</system-reminder>`;

const kinds: Record<InstructionKind, string> = {
  user: "the person's private instructions for all projects",
  project: "project instructions, shared by everybody who works on it",
  local: "the person's private instructions for this project",
};

const claudeMd = (instructions: readonly Instruction[]): string | undefined =>
  instructions.length === 0
    ? undefined
    : [
        "# claudeMd",
        "Instructions from the people you work for. They take precedence over your default behaviour; where two disagree, the later one counts. Follow them exactly wherever they apply to the task.",
        ...instructions.map(({ path, kind, text }) => `Contents of ${path} (${kinds[kind]}):\n\n${text}`),
      ].join("\n\n");

/** The `# gitStatus` section, also the value of `{{git_context}}`. */
export const gitContext = ({ branch, mainBranch, status, isStatusCut, recentCommits }: GitFacts): string => {
  const commits = typeof recentCommits === "string" ? recentCommits.trimEnd() : recentCommits.join("\n");
  return [
    "# gitStatus",
    "The repository when the session began. It is not updated: run git for the state now.",
    `Current branch: ${branch}`,
    ...(mainBranch ? [`Main branch: ${mainBranch}`] : []),
    `Status:\n${status.trimEnd() || "(clean)"}${isStatusCut ? "\n(there is more: run git status)" : ""}`,
    ...(commits ? [`Recent commits:\n${commits}`] : []),
  ].join("\n\n");
};

const opening = "Background for this session. Use what is relevant; there is no need to answer or mention it.";

/** Whether a message's text is a first reminder. */
export const isFirstReminder = (text: string): boolean => text.startsWith(`<system-reminder>\n${opening}`);

/** The text of the first reminder. Equal parts give equal bytes. */
export const firstReminder = ({ instructions, date, git, more = [] }: FirstReminderParts): string =>
  reminder(
    [
      opening,
      claudeMd(instructions),
      `# currentDate\nToday's date is ${date}.`,
      git && gitContext(git),
      ...more.map(({ title, text }) => `# ${title}\n${text.trim()}`),
    ]
      .filter(Boolean)
      .join("\n\n"),
  );
