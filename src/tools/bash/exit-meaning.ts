// Exit code 1 that is an answer, not a failure: grep without a match, diff with a difference.

const meanings = new Map([
  ["grep", "No matches found"],
  ["rg", "No matches found"],
  ["egrep", "No matches found"],
  ["fgrep", "No matches found"],
  ["git grep", "No matches found"],
  ["find", "Some folders could not be read"],
  ["diff", "Files differ"],
  ["git diff", "Files differ"],
  ["test", "The condition is false"],
  ["[", "The condition is false"],
]);

/** What exit code 1 of this command line means; undefined when it means failure. Looks at the last command only. */
export const meaningOfExit = (command: string): string | undefined => {
  const plain = command
    .replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, "Q") // quoted separators do not separate
    .replace(/[<>]&|&>/g, ">");
  const last = plain.split(/\|\||&&|[|;&\n]/).findLast((part) => part.trim() !== "");
  const words = (last ?? "")
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\w+=/.test(word));
  const name = words[0]?.replace(/^.*\//, "") ?? "";
  if (name !== "git") return meanings.get(name);
  const subcommand = words
    .slice(1)
    .find((word, index, rest) => !word.startsWith("-") && !/^-[cC]$/.test(rest[index - 1] ?? ""));
  return meanings.get(`git ${subcommand}`);
};
