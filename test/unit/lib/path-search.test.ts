// Searching paths: what comes first, and that a long list never holds up the event loop.
import { expect, it } from "vitest";
import { isSubsequence, pathRank, searchPaths } from "../../../src/lib/path-search.js";

const signal = new AbortController().signal;
const search = (paths: string[], word: string) => searchPaths(paths, { word, limit: 5, signal });

it("letters are found in order and in any case", () => {
  expect(["src/App.tsx", "axpxp"].map((path) => isSubsequence(path, "app"))).toEqual([true, true]);
  expect(isSubsequence("pap", "app")).toBe(false);
  expect(pathRank("other", "app")).toBe(0);
});

it("a path that begins so comes before a name, a name before a folder, scattered letters last; short before long", async () => {
  const paths = [
    "lib/deep/app.ts",
    "my/application/x.ts",
    "app/",
    "app/main.ts",
    "app/sub/x.ts",
    "a/p/p.ts",
    "lib/App.tsx",
  ];
  expect(await search(paths, "app")).toEqual(["app/", "app/main.ts", "app/sub/x.ts", "lib/App.tsx", "lib/deep/app.ts"]);
  expect(await search(["a/p/p.ts", "my/application/x.ts"], "app")).toEqual(["my/application/x.ts", "a/p/p.ts"]);
});

it("F045 a search of 300,000 paths lets everything else run in between, and an abort ends it", async () => {
  const paths = Array.from({ length: 300_000 }, (_, i) => `packages/p${i % 97}/src/module-${i}/index-${i}.ts`);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const found = await searchPaths(paths, { word: "index-299999", limit: 5, signal });
  isOver = true;
  expect(found?.[0]).toBe("packages/p75/src/module-299999/index-299999.ts");
  expect(turns).toBeGreaterThan(10);
  const stop = new AbortController();
  const aborted = searchPaths(paths, { word: "index", limit: 5, signal: stop.signal });
  stop.abort();
  expect(await aborted).toBeUndefined();
});
