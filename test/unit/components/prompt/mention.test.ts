// What counts as a mention while it is typed, and what a choice puts in its place.
import { expect, it } from "vitest";
import { toCells } from "../../../../components/prompt/cells.js";
import { chosenText, fittingPaths, mentionAt, shellWordAt } from "../../../../components/prompt/mention.js";

const at = (text: string) => {
  const found = mentionAt(toCells(text), toCells(text).length);
  return found && [found.start, found.query];
};

it("a mention begins behind a blank or bracket and ends at a blank, unless it is quoted", () => {
  expect(at("@")).toEqual([0, ""]);
  expect(at("see @src/a")).toEqual([4, "src/a"]);
  expect(at("(@a")).toEqual([1, "a"]);
  expect(at('see @"my dir/a b')).toEqual([4, "my dir/a b"]);
  expect(["see @a ", "me@host", "no", 'see @"a b" ', "@a\n"].map(at)).toEqual([null, null, null, null, null]);
});

it("a word of the shell goes on over escaped blanks", () => {
  const cells = toCells("cat my\\ dir/f");
  expect(shellWordAt(cells, cells.length)).toEqual({ of: "shell", start: 4, end: 13, query: "my dir/f" });
});

it("a choice is quoted where it must be; folders stay open", () => {
  expect(chosenText("src/a.ts", "mention")).toBe("@src/a.ts ");
  expect(chosenText("src/", "mention")).toBe("@src/");
  expect(chosenText("my dir/", "mention")).toBe('@"my dir/');
  expect(chosenText("my dir/a", "mention")).toBe('@"my dir/a" ');
  expect(chosenText("my dir/$a", "shell")).toBe("my\\ dir/\\$a ");
});

it("until the answer comes, what still fits of the last one is offered", () => {
  const known = { query: "a", paths: ["src/app.ts", "area.ts"] };
  expect(fittingPaths(known, "a")).toEqual(known.paths);
  expect(fittingPaths(known, "app")).toEqual(["src/app.ts"]);
  expect(fittingPaths(null, "app")).toEqual([]);
});

it("a folder that is written out is not offered again: what lies in it is", () => {
  const known = { query: "my dir/", paths: ["my dir/", "my dir/a b.txt"] };
  expect(fittingPaths(known, "my dir/")).toEqual(["my dir/a b.txt"]);
  expect(fittingPaths({ query: "src/", paths: ["src/"] }, "src/")).toEqual(["src/"]);
});
