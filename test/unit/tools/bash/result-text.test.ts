// What the model reads of outputs that are not stored as a whole.
import { expect, it } from "vitest";
import { resultText } from "../../../../src/tools/bash/result-text.js";

const mb = 1024 ** 2;
const textOf = (output: string, sizes: { totalBytes: number; storedBytes: number }): string =>
  resultText(
    { output, exitCode: 0, interrupted: false, timedOut: false, cwd: "/p", durationMs: 1, ...sizes },
    { notes: [], outputPath: "/out.txt", meaning: undefined, isError: false, env: {} },
  ).content;

it("a file that was cut is not called the whole", () => {
  const long = textOf("abc\n".repeat(20_000), { totalBytes: 386 * mb, storedBytes: 64 * mb });
  expect(long).toContain("The output is too long (386 MB). Only its first 64 MB are in /out.txt;");
  expect(long).toContain("What came behind them was not stored");
  const binary = textOf("\0\uFFFD".repeat(100), { totalBytes: 386 * mb, storedBytes: 64 * mb });
  expect(binary).toBe(
    "(The output is binary, 386 MB: it is not shown but its first 64 MB are kept in /out.txt, the rest was not stored)",
  );
});

it("a file that has everything is, and one that could not be written is not promised", () => {
  const sizes = { totalBytes: 80_000, storedBytes: 80_000 };
  expect(textOf("abc\n".repeat(20_000), sizes)).toContain("The whole is in /out.txt;");
  expect(textOf("\0\uFFFD".repeat(100), sizes)).toContain("it is not shown but kept in /out.txt)");
  expect(textOf("abc\n".repeat(20_000), { totalBytes: 80_000, storedBytes: 0 })).toContain("It could not be stored");
});

it("colours, titles and links of the output do not reach the model", () => {
  const output = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\ end\n";
  expect(textOf(output, { totalBytes: 60, storedBytes: 60 })).toBe("red link end");
});
