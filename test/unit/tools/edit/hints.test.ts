// Hints for texts that were not found.
import { expect, it } from "vitest";
import { explainMiss } from "../../../../src/tools/edit/hints.js";

it("a text in another Unicode form gets the form of the file in escapes", () => {
  const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
  expect(explainMiss(`a ${decomposed} b\n`, composed)).toBe(
    'Only the Unicode form differs: the file has accented letters as a letter and a mark behind it (NFD). Use exactly "cafe\\u0301" (as a JSON string).',
  );
  expect(explainMiss(`a ${composed} b\n`, decomposed)).toBe(
    'Only the Unicode form differs: the file has accented letters as one character each (NFC). Use exactly "caf\\u00e9" (as a JSON string).',
  );
  expect(explainMiss(`${composed} ${decomposed}`, `${decomposed} ${composed}`)).toContain("in more than one way");
});
