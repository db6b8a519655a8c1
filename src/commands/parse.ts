// Decides whether a prompt is a slash command, and which.
import { nearest } from "../lib/nearest.js";
import type { Command } from "./command.js";
import { allCommands, findCommand } from "./index.js";

export type ParsedCommand =
  | { kind: "command"; command: Command; name: string; args: string }
  /** `text` tells the person, with the nearest command when it was a typo. */
  | { kind: "unknown"; name: string; args: string; text: string };

/** `/name` or `/name:part`, alone or before white space; a second slash makes it a path. */
const commandShape = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/;

/**
 * Undefined when the text is no command: ordinary prompts, paths like `/tmp/x`, a slash later in the text.
 * `more` are names of commands that are not in our list (custom ones): they are suggested too.
 */
export const parseCommand = (text: string, more: readonly string[] = []): ParsedCommand | undefined => {
  const match = commandShape.exec(text.trimEnd());
  if (match?.[1] === undefined) return undefined;
  const name = match[1];
  const args = match[2] ?? "";
  const command = findCommand(name);
  if (command !== undefined) return { kind: "command", command, name: command.name, args };
  const known = allCommands.flatMap(({ name: own, aliases }) => [own, ...aliases]);
  const near = nearest(name, [...known, ...more]);
  const hint = near === undefined ? "" : `. Did you mean /${near}?`;
  return { kind: "unknown", name, args, text: `Unknown command: /${name}${hint}` };
};
