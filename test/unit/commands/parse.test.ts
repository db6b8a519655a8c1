import { expect, test } from "vitest";
import { allCommands, findCommand } from "../../../src/commands/index.js";
import { parseCommand } from "../../../src/commands/parse.js";

const short = (text: string, more?: string[]) => {
  const parsed = parseCommand(text, more);
  if (parsed === undefined) return undefined;
  return parsed.kind === "command" ? [parsed.name, parsed.args] : parsed.text;
};

test.each([
  ["/help", ["help", ""]],
  ["/help  ", ["help", ""]],
  ["/HELP", ["help", ""]],
  ["/reset my name", ["clear", "my name"]],
  ["/compact keep\nthe tests ", ["compact", "keep\nthe tests"]],
  ["/quit", ["exit", ""]],
  ["/hepl", "Unknown command: /hepl. Did you mean /help?"],
  ["/zzzzzz", "Unknown command: /zzzzzz"],
  ["/tmp/x", undefined],
  ["/tmp/x is broken", undefined],
  ["/usr/bin/", undefined],
  ["//", undefined],
  ["/", undefined],
  ["/1", undefined],
  ["fix /help", undefined],
  [" /help", undefined],
  ["", undefined],
])("%j is read as %j", (text, expected) => {
  expect(short(text)).toEqual(expected);
});

test("custom commands are suggested too", () => {
  expect(short("/reveiw", ["review"])).toBe("Unknown command: /reveiw. Did you mean /review?");
});

test("no name or alias is taken twice, and each command is found by all of its names", () => {
  const names = allCommands.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  for (const command of allCommands)
    for (const name of [command.name, ...command.aliases]) expect(findCommand(name)).toBe(command);
});
