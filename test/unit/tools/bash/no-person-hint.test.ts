// Hints for commands that wanted a person.
import { expect, it } from "vitest";
import { noPersonHint } from "../../../../src/tools/bash/no-person-hint.js";

it("F082 names a way out for each kind of question that nobody can answer", () => {
  const firstWords = [
    "sudo: a terminal is required to read the password",
    "Traceback\nEOFError: EOF when reading a line",
    "git@host: Permission denied (publickey,password).",
    "fatal: could not read Username for 'https://host': terminal prompts disabled",
    "the input device is not a TTY",
    "error: test failed",
  ].map((output) => noPersonHint(output)?.split(" ").slice(0, 2).join(" "));
  expect(firstWords).toEqual(["sudo cannot", "The program", "ssh cannot", "git cannot", "There is", undefined]);
});
