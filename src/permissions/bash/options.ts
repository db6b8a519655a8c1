// Splits a command's words into options and operands the way GNU programs do.
import { literalStarts, mayBeOption, maySplit, onlyValue, textWord, type Word } from "./words.js";

export interface OptionGrammar {
  /** Letters of short options that take a value. */
  valued?: string;
  /** Letters of short options that may take a glued value only. */
  glued?: string;
  /** Long options that take a value (without dashes). */
  longValued?: readonly string[];
  /** Long options known without a value; needed to see abbreviations. */
  longPlain?: readonly string[];
  /** Options end at the first operand. */
  isPosix?: boolean;
  /** Long options are written with one dash. */
  isSingleDash?: boolean;
}

export interface Option {
  /** `-x` or `--name`; abbreviations are completed when only one known name fits. */
  name: string;
  value?: Word;
  written: string;
}

export interface Scanned {
  options: Option[];
  operands: Word[];
  /** A word that could turn out to be an option although it is not written as one. */
  unsure: Word[];
}

/** Completes an abbreviated long option; ambiguous and unknown ones stay as they are. */
const completed = (name: string, grammar: OptionGrammar): string => {
  const known = [...(grammar.longValued ?? []), ...(grammar.longPlain ?? [])];
  if (known.includes(name)) return name;
  const fits = known.filter((candidate) => candidate.startsWith(name));
  return fits.length === 1 && fits[0] !== undefined ? fits[0] : name;
};

/** Reads the words behind the program's name. */
export const scanOptions = (words: readonly Word[], grammar: OptionGrammar): Scanned => {
  const found: Scanned = { options: [], operands: [], unsure: [] };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    const text = onlyValue(word);
    if (text === "--") {
      found.operands.push(...words.slice(index + 1));
      break;
    }
    if (text === undefined) {
      const starts = literalStarts(word);
      // `--name=$value`: the name is known even when the value is not.
      const named = starts.length === 1 ? starts[0]?.match(/^--([A-Za-z0-9-]+)=/)?.[1] : undefined;
      if (named && !maySplit(word)) {
        found.options.push({
          name: `--${completed(named, grammar)}`,
          value: cutStart(word, named.length + 3),
          written: word.written,
        });
        continue;
      }
      if (mayBeOption(word)) found.unsure.push(word);
      found.operands.push(word);
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      if (grammar.isPosix) {
        found.operands.push(...words.slice(index));
        break;
      }
      found.operands.push(word);
      continue;
    }
    index += text.startsWith("--")
      ? readLong(text.slice(2), word, words[index + 1], grammar, found)
      : readShort(text, word, words[index + 1], grammar, found);
  }
  return found;
};

/** The rest of a word whose literal start is `length` characters longer. */
const cutStart = (word: Word, length: number): Word => ({
  written: word.written,
  alternatives: word.alternatives.map(([first, ...rest]) =>
    first?.kind === "text" ? [{ kind: "text", text: first.text.slice(length) }, ...rest] : rest,
  ),
});

/** Returns how many further words were used. */
const readLong = (text: string, word: Word, next: Word | undefined, grammar: OptionGrammar, found: Scanned): number => {
  const equals = text.indexOf("=");
  const name = completed(equals === -1 ? text : text.slice(0, equals), grammar);
  if (equals !== -1) {
    found.options.push({ name: `--${name}`, value: textWord(text.slice(equals + 1)), written: word.written });
    return 0;
  }
  const takes = grammar.longValued?.includes(name) === true && next !== undefined;
  found.options.push({ name: `--${name}`, written: word.written, ...(takes ? { value: next } : {}) });
  return takes ? 1 : 0;
};

const readShort = (
  text: string,
  word: Word,
  next: Word | undefined,
  grammar: OptionGrammar,
  found: Scanned,
): number => {
  if (grammar.isSingleDash) return readLong(text.slice(1), word, next, grammar, found);
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? "";
    const rest = text.slice(at + 1);
    const option: Option = { name: `-${letter}`, written: word.written };
    found.options.push(option);
    if (grammar.glued?.includes(letter)) {
      if (rest !== "") option.value = textWord(rest);
      return 0;
    }
    if (!grammar.valued?.includes(letter)) continue;
    if (rest !== "") option.value = textWord(rest);
    else if (next) option.value = next;
    return rest === "" && next ? 1 : 0;
  }
  return 0;
};
