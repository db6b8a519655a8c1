// ToolSearch: loads tools that were sent by name only.
import { z } from "zod";
import type { ResultContent } from "../../protocol/messages.js";
import { type DeferredTools, defineTool, type ToolResult } from "../tool.js";
import { rankedNames, selectedNames } from "./rank.js";

const defaultResults = 5;
const mostResults = 50;

const input = z.object({
  query: z.string().min(1).describe('"select:NAME,NAME" for tools by name, or words that say what is needed'),
  max_results: z
    .number()
    .int()
    .positive()
    .max(mostResults)
    .optional()
    .describe(`Most tools a search in words loads (default ${defaultResults})`),
});
type Input = z.infer<typeof input>;

const prompt = `Loads tools that you know by name only, so that you can call them like all others.

- Reminders list such tools under "deferredTools". You do not see their parameters until they are loaded.
- query "select:NotebookEdit,WebSearch" loads tools by name. Other queries search in names and descriptions and load what fits best; a word with + in front must occur ("+github issue").
- Load what you need in one call, once: loaded tools stay.`;

/** What a search in names gives: tools to load, names that are always there, and names that are nothing. */
const bySelection = (names: readonly string[], tools: DeferredTools) => {
  const found: string[] = [];
  const offered: string[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const isNamed = (text: string) => text.toLowerCase() === name.toLowerCase();
    const tool = tools.list().find((one) => isNamed(one.name) || one.aliases.some(isNamed));
    const there = tool ? undefined : tools.offered(name);
    if (tool) found.push(tool.name);
    else if (there) offered.push(there);
    else unknown.push(name);
  }
  return { found, offered, unknown };
};

const notFound = (query: string, tools: DeferredTools): ToolResult => {
  const names = tools.list().map(({ name }) => name);
  const list = names.length === 0 ? "There are none in this session." : `There are: ${names.join(", ")}.`;
  return { content: `No tool that can be loaded fits "${query}". ${list}`, structured: structured([], query, tools) };
};

const structured = (matches: readonly string[], query: string, tools: DeferredTools) => ({
  matches,
  query,
  total_deferred_tools: tools.list().length,
});

export const toolSearch = defineTool<Input>({
  name: "ToolSearch",
  aliases: ["tool_search"],
  searchHint: "load find tools deferred",
  prompt,
  input,
  isReadOnly: () => true,
  // Not beside other calls: what it loads must be there for them.
  isConcurrencySafe: () => false,
  title: ({ query = "" }) => query,
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ query, max_results = defaultResults }, { deferredTools: tools }) => {
    if (!tools) return { content: "Every tool of this session is there already: call it.", isError: true };
    const names = selectedNames(query);
    const { found, offered, unknown } = names
      ? bySelection(names, tools)
      : { found: rankedNames(query, tools.list(), max_results), offered: [], unknown: [] };
    const loaded = tools.load([...new Set(found)]);
    const remarks = [
      ...(offered.length > 0 ? [`Need not be loaded, call it: ${offered.join(", ")}.`] : []),
      ...(unknown.length > 0 ? [`There is no tool named ${unknown.join(", ")}.`] : []),
    ];
    if (loaded.length === 0 && remarks.length === 0) return notFound(query, tools);
    const references = loaded.map((name): ResultContent => ({ type: "tool_reference", tool_name: name }));
    const words = remarks.map((text): ResultContent => ({ type: "text", text }));
    const shown = loaded.length === 0 ? remarks.join(" ") : `Loaded ${loaded.join(", ")}`;
    return {
      content: loaded.length === 0 ? remarks.join(" ") : [...references, ...words],
      display: { kind: "text", text: shown },
      structured: structured(loaded, query, tools),
    };
  },
});
