// Calls that reach out: which ask, which run, and what "don't ask again" would cover.
import { expect, it } from "vitest";
import { decide } from "../../../src/permissions/decide.js";
import { isDocumentationUrl } from "../../../src/permissions/documentation-hosts.js";
import { parseRules } from "../../../src/permissions/rules.js";
import type { Behavior, DecisionContext } from "../../../src/permissions/types.js";

type Given = Partial<Record<Behavior, string[]>> & { mode?: DecisionContext["mode"] };

const decideFetch = (url: string, { mode = "default", ...rules }: Given = {}) =>
  decide(
    { tool: "WebFetch", input: { url, prompt: "x" }, facts: { reads: [], writes: [], url }, isReadOnly: true },
    contextWith(rules, mode),
  );
const decideSearch = ({ mode = "default", ...rules }: Given = {}) =>
  decide(
    {
      tool: "WebSearch",
      input: { query: "x" },
      facts: { reads: [], writes: [], sends: "the query to a web search" },
      isReadOnly: true,
    },
    contextWith(rules, mode),
  );
const contextWith = (rules: Partial<Record<Behavior, string[]>>, mode: DecisionContext["mode"]): DecisionContext => ({
  mode,
  rules: (Object.entries(rules) as [Behavior, string[]][]).flatMap(
    ([behavior, texts]) => parseRules(texts, { behavior, source: "user", root: "/p" }).rules,
  ),
  cwd: "/p",
  workingDirs: ["/p"],
  projectRoot: "/p",
  home: "/h",
  configDir: "/h/.claude",
  freeWriteDirs: [],
  freeReadDirs: [],
  platform: "linux",
});

it("a page asks, names its host and offers a rule for that host alone", () => {
  expect(decideFetch("https://example.com/a")).toMatchObject({
    outcome: "ask",
    reasons: [{ text: "no rule covers example.com" }],
    suggestions: [
      {
        label: "don't ask again for example.com in this project",
        updates: [
          { rules: [{ toolName: "WebFetch", ruleContent: "domain:example.com" }], destination: "localSettings" },
        ],
      },
    ],
  });
});

it.each<[string, string, Given, string]>([
  ["a rule for the host allows", "https://EXAMPLE.com:443/a", { allow: ["WebFetch(domain:example.com)"] }, "allow"],
  ["a rule for another host does not", "https://notexample.com/", { allow: ["WebFetch(domain:example.com)"] }, "ask"],
  [
    "a rule for the subdomains does not cover the host",
    "https://example.com/",
    { allow: ["WebFetch(domain:*.example.com)"] },
    "ask",
  ],
  ["but the subdomains", "https://a.b.example.com/", { allow: ["WebFetch(domain:*.example.com)"] }, "allow"],
  ["a documentation site runs", "https://developer.mozilla.org/en-US/", {}, "allow"],
  ["also in plan mode", "https://docs.python.org/3/", { mode: "plan" }, "allow"],
  ["unless a rule asks", "https://docs.python.org/3/", { ask: ["WebFetch"] }, "ask"],
  ["or denies", "https://docs.python.org/3/", { deny: ["WebFetch(domain:docs.python.org)"] }, "deny"],
  [
    "deny wins over allow",
    "https://example.com/",
    { allow: ["WebFetch"], deny: ["WebFetch(domain:example.com)"] },
    "deny",
  ],
  ["accepting edits is no leave to fetch", "https://example.com/", { mode: "acceptEdits" }, "ask"],
  ["nobody to ask", "https://example.com/", { mode: "dontAsk" }, "deny"],
  ["bypass", "https://example.com/", { mode: "bypassPermissions" }, "allow"],
])("%s", (_, url, given, outcome) => {
  expect(decideFetch(url, given).outcome).toBe(outcome);
});

it("a search asks and says what it sends; one rule covers the tool", () => {
  expect(decideSearch()).toMatchObject({ outcome: "ask", reasons: [{ text: "it sends the query to a web search" }] });
  expect(decideSearch({ allow: ["WebSearch"] }).outcome).toBe("allow");
  expect(decideSearch({ mode: "plan" }).outcome).toBe("ask");
});

it.each([
  ["https://docs.rs/serde", true],
  ["http://docs.rs/serde", true],
  ["https://docs.rs.evil.example/", false],
  ["https://evil.docs.rs/", false],
  ["https://docs.rs:8443/", false],
  ["https://docs.rs@evil.example/", false],
  ["https://user@docs.rs/", false],
  ["nonsense", false],
])("%s is a documentation page: %s", (url, is) => {
  expect(isDocumentationUrl(url)).toBe(is);
});
