// HTML that is large, deep or broken still becomes text, in time that grows no faster than the page.
import { expect, it } from "vitest";
import { htmlToMarkdown } from "../../../../src/tools/web-fetch/html.js";
import { htmlSize, leanHtml } from "../../../../src/tools/web-fetch/html-size.js";

const url = "https://a.example/";

it.each([
  ["nested too deeply", `<title>T</title>${"<div>".repeat(50_000)}deep`, "deep"],
  ["nested without end tags", `<title>T</title>${"<li>x".repeat(80_000)}`, "x"],
  ["of open brackets", `<title>T</title>${"<".repeat(400_000)} deep`, "deep"],
  ["of scripts that never end", `<title>T</title><p>deep</p>${"<script>".repeat(100_000)}`, "deep"],
])("a page %s", async (_, html, text) => {
  const started = process.cpuUsage();
  const page = await htmlToMarkdown(html, url);
  const { user, system } = process.cpuUsage(started);
  expect(page.title).toBe("T");
  expect(page.text.includes(text)).toBe(true); // not toContain: it would print all of it
  expect((user + system) / 1000).toBeLessThan(4000);
});

it("an empty page is empty", async () => {
  expect(await htmlToMarkdown("", url)).toEqual({ title: "", text: "" });
});

it("takes out scripts, styles and comments, whole and cut off", () => {
  expect(leanHtml("a<SCRIPT x>1<b></script >b<!-- <p> -->c<style>d</style>e<svg><path/></svg>f<script>g")).toBe(
    "abcef",
  );
});

it("counts elements and depth without those that need no end tag", () => {
  expect(htmlSize("<div><p>a<p>b<br><ul><li>c<li><b>d</b></ul></div>")).toEqual({
    elements: 8,
    depth: 3,
    brackets: 11,
  });
});
