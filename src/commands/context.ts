// /context: what fills the context window, as a grid and a list; headless as Markdown tables.
import type { Picker } from "../protocol/pickers.js";
import { defineCommand } from "./command.js";
import { tokensText } from "./texts.js";

type ContextData = Extract<Picker, { kind: "context" }>;

const shownItems = 15;

const cell = (text: string): string => text.replace(/\|/g, "\\|").replace(/\n/g, " ");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

const percent = (tokens: number, window: number): string => `${((tokens * 100) / window).toFixed(1)} %`;

/** The same facts as the picker, as Markdown. */
export const contextMarkdown = ({ model, usedTokens, window, compactAt, categories, items }: ContextData): string =>
  [
    "## Context",
    `${model}: ${tokensText(usedTokens)} of ${tokensText(window)} tokens (${percent(usedTokens, window)})${
      compactAt === null ? ", never compacted by itself" : `, compacted by itself at ${tokensText(compactAt)}`
    }`,
    table(
      ["Part", "Tokens", "Share"],
      categories.map(({ label, tokens }) => [label, tokensText(tokens), percent(tokens, window)]),
    ),
    ...(items.length === 0
      ? []
      : [
          table(
            ["Item", "Tokens", "Note"],
            items.slice(0, shownItems).map(({ label, tokens, note }) => [label, tokensText(tokens), note]),
          ),
        ]),
    ...(items.length > shownItems ? [`and ${items.length - shownItems} smaller items`] : []),
  ].join("\n\n");

export const context = defineCommand({
  name: "context",
  description: "Show what fills the context window, and drop parts of it",
  isHeadless: true,
  isImmediate: true,
  run: async (_args, commandContext) => {
    const data = await commandContext.context();
    if (commandContext.isInteractive) return { kind: "picker", picker: data };
    return { kind: "text", text: contextMarkdown(data) };
  },
});
