// Results of web searches, in the forms that servers, commands and endpoints give them.
import { expect, it } from "vitest";
import type { Message } from "../../../src/protocol/messages.js";
import { searchResults } from "../../../src/query/side-calls.js";
import { readSearchAnswer } from "../../../src/query/web-search.js";

it("collects pages and joins the pieces that citations cut a text into", () => {
  const content = [
    { type: "text", text: "I search." },
    { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
    {
      type: "web_search_tool_result",
      tool_use_id: "s1",
      content: [{ type: "web_search_result", title: "A", url: "https://a.example/" }, { type: "other" }],
    },
    { type: "text", text: "A is " },
    { type: "text", text: "the first letter.", citations: [] },
    {
      type: "web_search_tool_result",
      tool_use_id: "s2",
      content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
    },
  ];
  expect(searchResults([{ role: "user", content: "x" }, { role: "assistant", content } as unknown as Message])).toEqual(
    [
      "I search.",
      { tool_use_id: "s1", content: [{ title: "A", url: "https://a.example/" }] },
      "A is the first letter.",
      "The search failed: max_uses_exceeded",
    ],
  );
});

it.each([
  ['[{"title":"A","url":"https://a.example/","snippet":"first"}]', ["A: first"]],
  ['{"results":[{"title":"A","url":"https://a.example/"}]}', []],
])("reads %s", (text, said) => {
  expect(readSearchAnswer(text, "It").results).toEqual([
    { tool_use_id: "search", content: [{ title: "A", url: "https://a.example/" }] },
    ...said,
  ]);
});

it("says what is wrong with an answer", () => {
  expect(() => readSearchAnswer("<html>", "The command")).toThrow("The command did not answer with JSON.");
  expect(() => readSearchAnswer('{"a":1}', "The command")).toThrow("holds no list of { title, url, snippet }");
});
