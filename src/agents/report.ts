// The report of an agent in words, also where it did not come to its own end.
import type { KeptWorktree, SubagentReport } from "./run.js";

/** What stands before the text of an agent that did not come to its own end. */
const preambles: Record<string, string> = {
  interrupted: "The agent was interrupted by the person.",
  stopped: "The person stopped this agent.",
  max_turns: "The agent reached its limit of turns.",
  prompt_too_long:
    "The agent's context was full before it was done; give what is left to another one in smaller parts.",
  budget_exhausted: "The session's budget is used up, so the agent was stopped.",
};

/** The report as the model reads it: its own words, or why it ended before its end and what it had. */
export const reportText = (report: SubagentReport): string => {
  const { worktree } = report;
  return worktree ? `${ownText(report)}\n\n${keptText(worktree)}` : ownText(report);
};

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;

const keptText = ({ path, branch, files, commits }: KeptWorktree): string =>
  `Its changes are in the worktree ${path} on the branch ${branch} (${count(commits, "commit")}, ${count(files, "file")} not committed).`;

const ownText = ({ cause, text, problem }: SubagentReport): string => {
  if (cause === "completed") return text.trim() || "(The agent ended without a report.)";
  const preamble = preambles[cause] ?? `The agent could not finish${problem ? `: ${problem}` : "."}`;
  return text.trim() === "" ? preamble : `${preamble} What it had so far:\n\n${text.trim()}`;
};

/** Ends that leave something the model can use without more ado. */
export const isUsable = ({ cause, text }: SubagentReport): boolean =>
  cause === "completed" || cause === "max_turns" || (cause === "prompt_too_long" && text.trim() !== "");
