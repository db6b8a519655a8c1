import { expect, test } from "vitest";
import { why } from "../../../src/commands/why.js";
import { fakeContext } from "../../helpers/fake-command-context.js";

test("/why cache shows the cache ledger", async () => {
  const { context } = fakeContext({
    cacheLines: () => ["2 requests, 50 % came from the cache", "10:00:00  read 0 of 5.0k"],
  });
  expect(await why.run("cache", context)).toEqual({
    kind: "text",
    text: "2 requests, 50 % came from the cache\n10:00:00  read 0 of 5.0k",
  });
});
