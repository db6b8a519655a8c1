import { expect, test } from "vitest";
import { dollarsText, durationText, tokensText } from "../../../src/commands/texts.js";

test("amounts read well at every size", () => {
  expect([0, 999, 1e6, 12.6].map(tokensText)).toEqual(["0", "999", "1,000,000", "13"]);
  expect([null, 0, 0.0123, 12.345].map(dollarsText)).toEqual(["price unknown", "$0.00", "$0.0123", "$12.35"]);
  expect([950, 12_345, 245_000, 7_380_000].map(durationText)).toEqual(["950ms", "12.3s", "4m 5s", "2h 3m"]);
});
