// Which deferred tools fit a query: by name, or ranked by the words in name, hint and description. Pure.
import type { DeferredTools } from "../tool.js";

type Candidate = ReturnType<DeferredTools["list"]>[number];

/** The names in `select:A,B`; undefined for a query in words. */
export const selectedNames = (query: string): string[] | undefined => {
  const list = /^\s*select\s*:(.*)$/is.exec(query)?.[1];
  return list
    ?.split(/[,\s]+/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
};

/** Words in lower case: `mcp__git_hub__createIssue` gives mcp, git, hub, create, issue. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** What a word of the query is worth in each place. */
const worth = { name: 10, partOfName: 5, hint: 4, description: 2 };

const scoreOf = (word: string, { name, aliases, searchHint, prompt }: Candidate): number => {
  const own = [name, ...aliases].flatMap(wordsOf);
  if (own.includes(word)) return worth.name;
  if (word.length > 2 && [name, ...aliases].some((text) => text.toLowerCase().includes(word))) return worth.partOfName;
  if (wordsOf(searchHint).includes(word)) return worth.hint;
  return wordsOf(prompt).includes(word) ? worth.description : 0;
};

/**
 * The names of the tools that fit best, at most `limit`. A word with `+` in front must occur; a query that is the name of a tool,
 * or the beginning of a server's (`mcp__github`), gives that one, or those, alone.
 */
export const rankedNames = (query: string, tools: readonly Candidate[], limit: number): string[] => {
  const wanted = query.trim().toLowerCase();
  const exact = tools.find(({ name, aliases }) => [name, ...aliases].some((text) => text.toLowerCase() === wanted));
  if (exact) return [exact.name];
  if (wanted.startsWith("mcp__")) {
    const ofServer = tools.filter(({ name }) => name.toLowerCase().startsWith(wanted));
    if (ofServer.length > 0) return ofServer.slice(0, limit).map(({ name }) => name);
  }
  const needed = [...query.matchAll(/(?:^|\s)\+(\S+)/g)].flatMap(([, word = ""]) => wordsOf(word));
  const words = [...new Set(wordsOf(query))];
  return tools
    .map((tool) => ({
      name: tool.name,
      isFit: needed.every((word) => scoreOf(word, tool) > 0),
      score: words.reduce((sum, word) => sum + scoreOf(word, tool), 0),
    }))
    .filter(({ isFit, score }) => isFit && score > 0)
    .sort((a, b) => b.score - a.score) // stable: equal ones keep their order
    .slice(0, limit)
    .map(({ name }) => name);
};
