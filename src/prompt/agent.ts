// What a subagent is told: its definition's prompt and where it works.
import type { AgentDefinition } from "../agents/definition.js";
import type { SystemBlock } from "../providers/provider.js";
import { reminder } from "./first-reminder.js";
import { environment } from "./sections/environment.js";
import type { PromptContext } from "./sections/section.js";
import { usingTools } from "./sections/using-tools.js";

/** The system prompt of an agent: its own text, how to use its tools, and the environment behind the cache mark. */
export const agentSystemPrompt = (
  prompt: string,
  context: PromptContext,
  worktree?: { path: string; branch: string; mainRoot: string },
): SystemBlock[] => {
  const stable = [prompt.trim(), usingTools.render(context)].filter((text) => text).join("\n\n");
  const changing = [environment.render(context), worktree && worktreeText(worktree)].filter(Boolean).join("\n\n");
  return [
    { type: "text", text: stable, cache_control: { type: "ephemeral" } },
    ...(changing ? [{ type: "text" as const, text: changing }] : []),
  ];
};

const worktreeText = ({ path, branch, mainRoot }: { path: string; branch: string; mainRoot: string }): string =>
  `You work in a git worktree of your own: ${path}, branch ${branch}. Where your task names files of ${mainRoot}, use the same paths below your worktree. Calls that would change the main checkout or go there are refused; reading it is fine. What you leave here is kept on your branch, committed or not.`;

/** The agents that can be started, for the first reminder. */
export const agentListing = (agents: readonly AgentDefinition[]): string =>
  agents
    .map(({ name, description, tools }) => `- ${name}: ${description} (tools: ${tools?.join(", ") ?? "all"})`)
    .join("\n");

/** Told to an agent that starts while plan mode is on. */
export const agentPlanReminder = (): string =>
  reminder(
    "Plan mode is on: the person wants a plan before anything changes. Change nothing, whatever your task says; look, think, and report.",
  );
