// Slash command menu: which commands fit what is typed. Pure.
import fuzzysort from "fuzzysort";
import type { CommandRow } from "../../src/protocol/pickers.js";

/** Rows the menu holds at most; the rest is reached by typing on. */
const maxMatches = 50;

/** The command word being typed, without its slash; null when the text is no command or has moved on to arguments. */
export const commandWord = (text: string): string | null => /^\/(\S*)$/.exec(text)?.[1] ?? null;

/** Commands that fit a word: by name and alias first, then by their descriptions' words. An empty word lists all. */
export const matchCommands = (commands: readonly CommandRow[], word: string): CommandRow[] => {
  if (word === "") return [...commands];
  const exact = commands.filter(({ name, aliases }) => name === word || aliases.includes(word));
  const starts = commands.filter(({ name, aliases }) => [name, ...aliases].some((one) => one.startsWith(word)));
  const fuzzy = fuzzysort
    .go(word, commands, {
      keys: ["name", (row) => row.aliases.join(" "), (row) => row.description],
      limit: maxMatches,
      threshold: 0.4,
    })
    .map(({ obj }) => obj);
  if (exact.length > 0) return [...new Set([...exact, ...starts])];
  return [...new Set([...starts, ...fuzzy])].slice(0, maxMatches);
};
