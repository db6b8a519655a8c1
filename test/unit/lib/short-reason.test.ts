import { expect, test } from "vitest";
import { shortReason } from "../../../src/lib/short-reason.js";

test.each([
  ["The answer is no JSON.", "The answer is no JSON"],
  ["Overloaded", "Overloaded"],
  [" two\n\u001b[31mlines: ", "two lines"],
  ["502 <html><head><title>x</title></head>\n<body><h1>Bad  Gateway</h1></body></html>", "502 Bad Gateway"],
  ["<p></p>", "The request failed"],
])("%j becomes the one line %j", (reason, line) => {
  expect(shortReason(reason)).toBe(line);
});

test("a long reason is cut", () => {
  const line = shortReason("word ".repeat(1000));
  expect([line.length <= 200, line.endsWith("…")]).toEqual([true, true]);
});
