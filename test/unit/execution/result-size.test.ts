import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sizeResult } from "../../../src/execution/result-size.js";
import { headAndTail } from "../../../src/lib/head-tail.js";

const folder = () => mkdtemp(join(tmpdir(), "sizes-"));

test("a short result passes unchanged", async () => {
  const options = { maxChars: 10, resultsDir: await folder(), toolUseId: "t1" };
  expect(await sizeResult("short", options)).toEqual({ content: "short" });
});

test("a long result is stored whole, private, and previewed with its path", async () => {
  const resultsDir = join(await folder(), "results");
  const text = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join("\n");
  const sized = await sizeResult(text, { maxChars: 1000, resultsDir, toolUseId: "t2" });
  const path = join(resultsDir, "t2.txt");
  expect(sized.storedPath).toBe(path);
  expect(await readFile(path, "utf8")).toBe(text);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const content = String(sized.content);
  expect(content).toContain("<persisted-output>");
  expect(content).toContain(path);
  expect(content).toContain("line 0\n");
  expect(content).toContain("line 2999");
  expect(content.length).toBeLessThan(5000);
});

test("a preview is never stored again", async () => {
  const preview = `<persisted-output>\n${"x".repeat(500)}`;
  const options = { maxChars: 100, resultsDir: await folder(), toolUseId: "t3" };
  expect(await sizeResult(preview, options)).toEqual({ content: preview });
});

test("what cannot be stored is cut to head and tail instead of lost", async () => {
  const text = `begin${"x".repeat(200_000)}end`;
  const sized = await sizeResult(text, { maxChars: 100, resultsDir: "/dev/null/nowhere", toolUseId: "t4" });
  expect(sized.storedPath).toBeUndefined();
  expect(String(sized.content).startsWith("begin")).toBe(true);
  expect(String(sized.content).endsWith("end")).toBe(true);
  expect(String(sized.content).length).toBeLessThan(51_000);
});

test("head and tail end at line ends and say how much is left out", () => {
  const text = Array.from({ length: 100 }, (_, n) => `row ${n}`).join("\n");
  const cut = headAndTail(text, 20, 10);
  expect(cut.split("\n")[0]).toBe("row 0");
  expect(cut.split("\n").at(-1)).toBe("row 99");
  expect(cut).toMatch(/\[… \d+ characters left out …\]/);
});
