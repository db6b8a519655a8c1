// Parser rules of frontmatter, value by value. The ids are those of the case list for agents (A) and skills (S).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { booleanValue, parseFrontmatter, splitNames, textValue, toolNames } from "../../../src/lib/frontmatter.js";

const head = (text: string) => parseFrontmatter(`---\n${text}\n---\nBody\n`);
const data = (text: string) => head(text).data;

describe("the block", () => {
  test("A14 A15 begins with --- and blanks, ends at a line that starts with ---, whose rest is body", () => {
    expect(parseFrontmatter("--- \t\nname: a\n---Body text\nmore")).toMatchObject({
      hasBlock: true,
      data: { name: "a" },
      body: "Body text\nmore",
    });
  });

  test.each([
    ["a blank line first", "\n---\nname: a\n---\n"],
    ["a comment first", "# x\n---\nname: a\n---\n"],
    ["indented", "  ---\n  name: a\n  ---\n"],
    ["four dashes", "----\nname: a\n---\n"],
    ["---yaml", "---yaml\nname: a\n---\n"],
    ["TOML", '+++\nname = "a"\n+++\n'],
    ["no block", "# Read me\n"],
    ["an empty file", ""],
  ])("A13 is none with %s", (_, text) => {
    expect(parseFrontmatter(text)).toEqual({ hasBlock: false, data: {}, body: text, pass: 1 });
  });

  test.each([
    ["A9 never closed", "---\nname: a\n"],
    ["A18 closed by dots", "---\nname: a\n...\nBody\n"],
  ])("%s: everything is body, with a warning", (_, text) => {
    expect(parseFrontmatter(text)).toMatchObject({ hasBlock: false, body: text, warning: { line: 1 } });
  });

  test.each([
    ["A10 a byte-order mark", "\uFEFF---\nname: a\n---\nBody"],
    ["A11 CRLF", "---\r\nname: a\r\n---\r\nBody"],
    ["A12 CR", "---\rname: a\r---\rBody"],
    ["A46 no last line break", "---\nname: a\n---\nBody"],
  ])("%s", (_, text) => {
    expect(parseFrontmatter(text)).toMatchObject({ hasBlock: true, data: { name: "a" }, body: "Body" });
  });

  test("A46 A49 an empty body and an empty block are fine", () => {
    expect(parseFrontmatter("---\nname: a\n---")).toMatchObject({ data: { name: "a" }, body: "" });
    expect(parseFrontmatter("---\n---")).toMatchObject({ hasBlock: true, data: {}, body: "" });
  });
});

describe("values", () => {
  test.each<[string, string, Record<string, unknown>, number]>([
    [
      "A1",
      "description: Use for: this. Then: that\ntools: Read, Grep",
      { description: "Use for: this. Then: that", tools: "Read, Grep" },
      2,
    ],
    [
      "A3",
      "description: First line.\n<example>\nuser: hello\n</example>\ntools: Read",
      { description: "First line.\n<example>\nuser: hello\n</example>", tools: "Read" },
      3,
    ],
    ["A5", "tools: Read\ntools: Grep", { tools: "Grep" }, 1],
    ["A16", "description: before --- after\ntools: Read", { description: "before --- after", tools: "Read" }, 1],
    ["A17", "description: |\n  one\n  ---\n  two", { description: "one\n---\ntwo\n" }, 1],
    ["A19 tab after the colon", "name:\ta", { name: "a" }, 1],
    ["A19 list indented by tabs", "tools:\n\t- Read\n\t- Grep", { tools: ["Read", "Grep"] }, 3],
    ["A20", 'tools: [Read, "Grep", Bash(git:*)]', { tools: ["Read", "Grep", "Bash(git:*)"] }, 1],
    ["A26", "tools: Read # only this\ndescription: a: b", { tools: "Read", description: "a: b" }, 2],
    ["A27 @", "description: @x starts so", { description: "@x starts so" }, 2],
    ["A27 backtick", "description: `x` starts so", { description: "`x` starts so" }, 2],
    ["A27 %", "description: %x", { description: "%x" }, 2],
    ["A27 {", "description: {x} text", { description: "{x} text" }, 2],
    ["A27 [", "description: [x] text", { description: "[x] text" }, 2],
    ["A27 *", "description: *x", { description: "*x" }, 2],
    ["A27 >", "description: > x", { description: "> x" }, 2],
    ["A27 |", "description: | x", { description: "| x" }, 2],
    ["A28 tag", "description: !x bang", { description: "bang" }, 1],
    ["A28 anchor", "description: &x amp", { description: "amp" }, 1],
    ["A29 dash", "description: - dash", { description: "- dash" }, 3],
    ["A29 question", "description: ? what", { description: "? what" }, 3],
    ["A29 quoted and more", 'description: "quoted" and more', { description: '"quoted" and more' }, 3],
    ["A29 ends with colon", "description: ends with colon:", { description: "ends with colon:" }, 2],
    ["A30", "description: uses C # and more", { description: "uses C" }, 1],
    ["A31", "description: x: y # z", { description: "x: y # z" }, 2],
    ["A32", "description:\n  on the next line\n  and more", { description: "on the next line and more" }, 1],
    ["A33", "description: x: y\n  continued", { description: "x: y continued" }, 3],
    ["A34", "description: p\n\n  q", { description: "p\nq" }, 1],
    ["A35", "name: a\nmetadata:\n  author: me: you", { name: "a", metadata: "author: me: you" }, 3],
    ["A42", "Name: a", { Name: "a" }, 1],
    ["A43", "description : x", { description: "x" }, 1],
    ["A48", '# comment\n\n"tools": [Read]\nx: &a 1\ny: *a\n', { tools: ["Read"], x: 1, y: 1 }, 1],
    ["S5", "description: [unclosed text", { description: "[unclosed text" }, 2],
    ["S6", "allowed-tools: - Read\n  - Grep", { "allowed-tools": ["Read", "Grep"] }, 3],
  ])("%s", (_, text, expected, pass) => {
    const parsed = head(text);
    expect(parsed.data).toEqual(expected);
    expect(parsed.pass).toBe(pass);
    expect(parsed.warning === undefined).toBe(pass === 1);
  });

  test("A27 a comma first", () => {
    expect(data("description: , x")).toEqual({ description: ", x" });
  });

  test("A42 no blank behind the colon, and an indented key, are no keys", () => {
    expect(data("name: a\ndescription:no blank").description).toBeUndefined();
    expect(data("name: a\n description: x").description).toBeUndefined();
  });

  test("A47 a long value is kept whole", () => {
    expect(data(`description: ${"x".repeat(6000)}`).description).toHaveLength(6000);
  });

  test("pass 3 keeps block texts and takes quotes off", () => {
    expect(data('a: "x \\" y"\nb: |\n  one\n  two\nc: - z')).toEqual({ a: 'x " y', b: "one\ntwo", c: "- z" });
  });
});

describe("reading values", () => {
  test.each([
    [42, undefined],
    [true, undefined],
    [["a"], undefined],
    [{ a: 1 }, undefined],
    [null, undefined],
    ["", undefined],
    [" x ", "x"],
  ])("A6 text: %j", (value, text) => expect(textValue(value)).toBe(text));

  test.each([
    [true, true],
    ["true", true],
    ["yes", false],
    ["no", false],
    [1, false],
    [undefined, false],
  ])("booleans: %j", (value, is) => expect(booleanValue(value)).toBe(is));

  test.each<[string, unknown, string[] | undefined]>([
    ["A4", "*", undefined],
    ["A21", ["Read", "Grep"], ["Read", "Grep"]],
    ["A22", 'Bash(git log --format="%h, %s":*), Read', ['Bash(git log --format="%h, %s":*)', "Read"]],
    ["A23", "Read Grep Bash", ["Read", "Grep", "Bash"]],
    ["A24 empty list", [], undefined],
    ["A24 empty text", "", undefined],
    ["A24 nothing", null, undefined],
    ["A24 a map", { Read: true }, undefined],
    ["A25", "Read, NoSuch, list_dir, mcp__x__y", ["Read", "NoSuch", "list_dir", "mcp__x__y"]],
  ])("tool lists: %s", (_, value, names) => expect(toolNames(value)).toEqual(names));

  test("names split outside parentheses only", () => {
    expect(splitNames("Bash(a, b) , Read\nGrep")).toEqual(["Bash(a, b)", "Read", "Grep"]);
  });
});

test("nothing throws, whatever stands in the file", () => {
  const line = fc.oneof(
    fc.constantFrom("---", "name: a", "description: - x", "<a>", "</a>", "  - y", "&a *a"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const parsed = parseFrontmatter(`---\n${lines.join("\n")}`);
      expect(typeof parsed.body).toBe("string");
      expect(parsed.body).not.toContain("\r");
    }),
    { seed: 7, numRuns: 300 },
  );
});
