// Prompts of MCP servers as slash commands: /mcp__server__prompt words, the words in the order of its arguments.
import type { Emit } from "../execution/context.js";
import type { McpPrompt } from "../mcp/manager.js";
import type { RunOutcome } from "../protocol/events.js";
import type { ContentBlock } from "../protocol/messages.js";
import { runPrompt } from "./run-prompt.js";
import { resultsDir, type Session } from "./session.js";

/** Words at white space, quoted ones whole. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");

/** The prompt a text names, and what follows its name. Names with blanks may be written as they are. */
export const findPrompt = (prompts: readonly McpPrompt[], text: string) => {
  if (!text.startsWith("/mcp__")) return undefined;
  for (const prompt of prompts) {
    const asIs = `mcp__${prompt.server}__${prompt.name}`;
    for (const name of [prompt.fullName, asIs]) {
      const rest = text.slice(name.length + 1);
      if (text.slice(1).startsWith(name) && (rest === "" || /^\s/.test(rest))) return { prompt, args: rest.trim() };
    }
  }
  return undefined;
};

/** The arguments by name; the last one takes all words that are left. A text says what is missing. */
export const promptArguments = ({ args }: Pick<McpPrompt, "args">, text: string): Record<string, string> | string => {
  const words = wordsOf(text);
  const values: [string, string][] = [];
  for (const [at, { name, isRequired }] of args.entries()) {
    const word = at === args.length - 1 ? words.slice(at).join(" ") : (words[at] ?? "");
    if (word !== "") values.push([name, word]);
    else if (isRequired) return `it needs ${args.map((arg) => `<${arg.name}>`).join(" ")}`;
  }
  return Object.fromEntries(values);
};

const blocksIn = async (session: Session, answer: Record<string, unknown>, id: string): Promise<ContentBlock[]> => {
  const { callResult } = await import("../tools/mcp/result.js");
  const messages = Array.isArray(answer.messages) ? (answer.messages as { content?: unknown }[]) : [];
  const { content } = await callResult(
    { content: messages.map((message) => message.content) },
    { resultsDir: resultsDir(session), id },
  );
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap((block) => (block.type === "tool_reference" ? [] : [block]));
};

/** Runs the prompt of a server that the text names; undefined when it names none. */
export const runMcpPrompt = async (session: Session, text: string, emit: Emit): Promise<RunOutcome | undefined> => {
  const found = findPrompt(session.mcp?.servers.prompts() ?? [], text);
  if (!found || !session.mcp) return undefined;
  const { prompt, args } = found;
  const values = promptArguments(prompt, args);
  if (typeof values === "string") throw new Error(`/${prompt.fullName}: ${values}`);
  const { signal } = session.closing;
  const answer = await session.mcp.servers.getPrompt(prompt, values, { signal });
  const content = await blocksIn(session, answer, `prompt_${prompt.fullName}`);
  return runPrompt(session, { content, shown: text }, emit);
};
