// /copy: an answer, or one code block of it, into the clipboard.
import type { CommandContext, CommandResult } from "./command.js";
import { defineCommand } from "./command.js";

/** The fenced code blocks of an answer, in order. */
export const codeBlocks = (text: string): { language: string; code: string }[] =>
  [...text.matchAll(/^( {0,3})(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^ {0,3}\2[`~]*[ \t]*$/gm)].map((match) => ({
    language: (match[3] ?? "").trim(),
    code: match[4] ?? "",
  }));

const usage =
  "It reads  /copy,  /copy 2  for the answer before the last one, or  /copy 1 code 2  for its second code block.";

const copied = (text: string, context: CommandContext): CommandResult =>
  context.isInteractive ? { kind: "screen", change: { copy: text } } : { kind: "text", text };

const listOf = (blocks: ReturnType<typeof codeBlocks>, at: number): CommandResult => ({
  kind: "picker",
  picker: {
    kind: "list",
    title: "Copy",
    rows: [
      { label: "The whole answer", command: `/copy ${at} all` },
      ...blocks.map(({ language, code }, index) => ({
        label: code.trim().split("\n")[0] ?? "",
        detail: `${language === "" ? "code" : language} · ${code.trimEnd().split("\n").length} lines`,
        command: `/copy ${at} code ${index + 1}`,
      })),
    ],
    empty: "",
  },
});

export const copy = defineCommand({
  name: "copy",
  description: "Copy the last answer, or a code block of it",
  argumentHint: "[N] [code K]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const match = /^(\d+)?\s*(all|code\s+(\d+))?$/.exec(args.trim());
    if (!match) return { kind: "text", text: usage, isError: true };
    const at = Number(match[1] ?? 1);
    const answers = context.answers();
    const answer = at === 0 ? undefined : answers.at(-at);
    if (answer === undefined)
      return {
        kind: "text",
        text: answers.length === 0 ? "There is no answer yet." : `There are only ${answers.length} answers. ${usage}`,
        isError: true,
      };
    const blocks = codeBlocks(answer);
    if (match[3] !== undefined) {
      const block = blocks[Number(match[3]) - 1];
      if (block) return copied(block.code, context);
      return { kind: "text", text: `That answer has ${blocks.length} code blocks.`, isError: true };
    }
    if (context.isInteractive && match[2] === undefined && blocks.length > 0) return listOf(blocks, at);
    return copied(answer, context);
  },
});
