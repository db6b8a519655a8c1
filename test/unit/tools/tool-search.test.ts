import { describe, expect, test } from "vitest";
import type { DeferredTools, ToolContext } from "../../../src/tools/tool.js";
import { toolSearch } from "../../../src/tools/tool-search/index.js";
import { rankedNames, selectedNames } from "../../../src/tools/tool-search/rank.js";

const tool = (name: string, searchHint = "", prompt = "", aliases: string[] = []) => ({
  name,
  searchHint,
  prompt,
  aliases,
});
const tools = [
  tool("NotebookEdit", "jupyter notebook ipynb edit cell"),
  tool("WebSearch", "web search internet", "Finds pages.", ["web_search"]),
  tool("mcp__git_hub__createIssue", "", "Opens an issue in a repository."),
  tool("mcp__git_hub__list_pulls", "", "Lists pull requests of a repository."),
  tool("mcp__slack__send", "", "Sends a message about an issue."),
];

describe("ranking", () => {
  const ranked = (query: string, limit = 5) => rankedNames(query, tools, limit);

  test("a word in the name counts more than one in the hint or the description", () => {
    expect(ranked("issue")).toEqual(["mcp__git_hub__createIssue", "mcp__slack__send"]);
    expect(ranked("pages")).toEqual(["WebSearch"]);
  });

  test("words that add up win", () => {
    expect(ranked("create github issue")[0]).toBe("mcp__git_hub__createIssue");
  });

  test("a word with + must occur", () => {
    expect(ranked("+slack issue")).toEqual(["mcp__slack__send"]);
    expect(ranked("+nowhere issue")).toEqual([]);
  });

  test("a whole name or alias gives that tool alone, whatever its case", () => {
    expect(ranked("websearch")).toEqual(["WebSearch"]);
    expect(ranked("web_search")).toEqual(["WebSearch"]);
  });

  test("the beginning of a server's tools gives them all, up to the limit", () => {
    expect(ranked("mcp__git_hub")).toEqual(["mcp__git_hub__createIssue", "mcp__git_hub__list_pulls"]);
    expect(ranked("mcp__git_hub", 1)).toEqual(["mcp__git_hub__createIssue"]);
  });

  test("nothing fits: nothing is found", () => {
    expect(ranked("quantum")).toEqual([]);
    expect(ranked("!!")).toEqual([]);
  });
});

test("select: takes names with commas and blanks", () => {
  expect(selectedNames("select:A,B")).toEqual(["A", "B"]);
  expect(selectedNames(" Select: A , B")).toEqual(["A", "B"]);
  expect(selectedNames("select:")).toEqual([]);
  expect(selectedNames("how to select: things")).toBeUndefined();
});

describe("a call", () => {
  const call = (query: string, more: Record<string, unknown> = {}) => {
    const loaded: string[] = [];
    const deferredTools: DeferredTools = {
      list: () => tools,
      offered: (name) => (name === "Read" ? "Read" : undefined),
      load: (names) => {
        loaded.push(...names);
        return [...names];
      },
    };
    const result = toolSearch.call({ query, ...more }, { deferredTools } as ToolContext, () => undefined);
    return result.then(({ content, isError, structured }) => ({ content, isError, structured, loaded }));
  };
  const reference = (tool_name: string) => ({ type: "tool_reference", tool_name });

  test("by name gives one reference a tool and nothing else", async () => {
    expect(await call("select:WebSearch,notebookedit")).toMatchObject({
      content: [reference("WebSearch"), reference("NotebookEdit")],
      loaded: ["WebSearch", "NotebookEdit"],
      structured: { matches: ["WebSearch", "NotebookEdit"], total_deferred_tools: 5 },
    });
  });

  test("says which names are unknown and which need no loading", async () => {
    const { content, loaded } = await call("select:WebSearch,Read,Nope");
    expect(loaded).toEqual(["WebSearch"]);
    expect(content).toEqual([
      reference("WebSearch"),
      { type: "text", text: "Need not be loaded, call it: Read." },
      { type: "text", text: "There is no tool named Nope." },
    ]);
    expect((await call("select:Read")).content).toBe("Need not be loaded, call it: Read.");
  });

  test("in words loads at most max_results", async () => {
    expect((await call("repository", { max_results: 1 })).loaded).toEqual(["mcp__git_hub__createIssue"]);
  });

  test("without a match lists what there is", async () => {
    const { content, isError } = await call("quantum");
    expect(isError).toBeUndefined();
    expect(content).toBe(
      'No tool that can be loaded fits "quantum". There are: NotebookEdit, WebSearch, mcp__git_hub__createIssue, mcp__git_hub__list_pulls, mcp__slack__send.',
    );
  });
});
