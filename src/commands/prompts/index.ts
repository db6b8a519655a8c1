// Commands that are a prompt of ours: the model does the work with its tools, under the permissions in force.
import { type Command, defineCommand } from "../command.js";
import { initPrompt } from "./init.js";
import { reviewPrompt, securityReviewPrompt, simplifyPrompt } from "./review.js";
import { statusLinePrompt } from "./statusline.js";

interface PromptCommand extends Pick<Command, "name" | "description"> {
  argumentHint?: string;
  /** What the model is told; `wish` is what stands behind the command, "" for nothing. */
  text(wish: string): string;
}

const promptCommand = ({ text, ...command }: PromptCommand): Command =>
  defineCommand({
    ...command,
    isHeadless: true,
    run: async (args) => ({
      kind: "prompt",
      content: text(args.trim()),
      shown: `/${command.name}${args.trim() === "" ? "" : ` ${args.trim()}`}`,
    }),
  });

export const promptCommands: readonly Command[] = [
  promptCommand({
    name: "init",
    description: "Look at the project and write its CLAUDE.md, or improve it",
    argumentHint: "[what matters]",
    text: initPrompt,
  }),
  promptCommand({
    name: "review",
    description: "Review a change: what is uncommitted, a branch or a pull request",
    argumentHint: "[what]",
    text: reviewPrompt,
  }),
  promptCommand({
    name: "security-review",
    description: "Review a change for security holes",
    argumentHint: "[what]",
    text: securityReviewPrompt,
  }),
  promptCommand({
    name: "simplify",
    description: "Make what was changed simpler without changing what it does",
    argumentHint: "[what]",
    text: simplifyPrompt,
  }),
  promptCommand({
    name: "statusline",
    description: "Set up a status line of your own",
    argumentHint: "[what it shows]",
    text: statusLinePrompt,
  }),
];
