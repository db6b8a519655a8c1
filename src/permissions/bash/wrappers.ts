// Peels wrappers such as `timeout 5` off a command, and finds shell text given to programs that run it.

import { isWord } from "./operand.js";
import { scanOptions } from "./options.js";
import { mayBeOption, onlyValue, textWord, unquoted, type Word } from "./words.js";
import { shells, type Wrapper, wrappers } from "./wrapper-table.js";

export interface Peeled {
  /** The wrapped command after each wrapper, outermost first; the command itself is not in it. */
  forms: Word[][];
  /** Words left after the harmless wrappers in front. */
  plain: Word[];
  /** Shell text found in options or operands of a wrapper. */
  texts: Word[];
  /** Names of wrappers that are not harmless. */
  others: string[];
  /** More wrappers than are followed. */
  isCut: boolean;
}

const maxWrappers = 16;

export const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

const isAssignment = (word: Word): boolean => /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(unquoted(word));

interface Inner {
  words: Word[];
  texts: Word[];
  /** An option was not understood, so the command may begin a little later. */
  isVague: boolean;
}

/** The command inside one wrapper; undefined when the words are no wrapped command. */
const innerOf = (words: readonly Word[], wrapper: Wrapper): Inner | undefined => {
  const { options, operands } = scanOptions(words.slice(1), wrapper);
  if (options.some(({ name }) => wrapper.notWith?.includes(name))) return undefined;
  // The text may stand behind operands too: `flock FILE -c TEXT`, `su - USER -c TEXT`.
  const texts = words.filter(
    (_, index) => index > 1 && wrapper.textOption?.some((option) => isWord(words[index - 1], option)),
  );
  texts.push(
    ...options.flatMap(({ name, value }) =>
      value && wrapper.textOption?.includes(name) && !texts.includes(value) ? value : [],
    ),
  );
  let rest = operands.slice(wrapper.skip ?? 0);
  while (wrapper.hasAssignments && rest[0] && isAssignment(rest[0])) rest = rest.slice(1);
  const end = rest.findIndex((word) => wrapper.until?.some((mark) => isWord(word, mark)));
  if (end !== -1) rest = rest.slice(0, end);
  if (wrapper.isText && rest.length > 0) return { words: rest, texts: [joined(rest)], isVague: false };
  const known = [...(wrapper.longValued ?? []), ...(wrapper.longPlain ?? [])];
  const isVague = options.some(({ name, value }) => name.startsWith("--") && !value && !known.includes(name.slice(2)));
  return { words: rest, texts, isVague };
};

/** Several words as one text, as eval and watch join them. */
export const joined = (words: readonly Word[]): Word => {
  const values = words.map(onlyValue);
  if (!values.includes(undefined)) return textWord(values.join(" "));
  return {
    written: words.map(({ written }) => written).join(" "),
    alternatives: [[{ kind: "unknown", text: "", isSplit: false }]],
  };
};

/** Peels until nothing more peels. */
export const peel = (words: readonly Word[]): Peeled => {
  const found: Peeled = { forms: [], plain: [...words], texts: [], others: [], isCut: false };
  let current: readonly Word[] = words;
  let isHarmlessSoFar = true;
  for (let count = 0; ; count++) {
    const name = current[0] && onlyValue(current[0]);
    const wrapper = name === undefined ? undefined : wrappers.get(baseName(name));
    if (!wrapper || name === undefined) return found;
    if (count >= maxWrappers) return { ...found, isCut: true };
    const inner = innerOf(current, wrapper);
    if (!inner) return found;
    // A word in front of the command that may be an option hides where the command begins.
    const isHidden = current
      .slice(1, current.length - inner.words.length)
      .some((word) => onlyValue(word) === undefined && mayBeOption(word));
    if (!wrapper.isHarmless || name.includes("/") || isHidden) isHarmlessSoFar = false;
    if (!wrapper.isHarmless) found.others.push(name);
    found.texts.push(...inner.texts);
    if (inner.words.length === 0) {
      if (isHarmlessSoFar && wrapper.isHarmless) isHarmlessSoFar = false;
      return found;
    }
    found.forms.push(inner.words);
    if (inner.isVague) found.forms.push(inner.words.slice(1), inner.words.slice(2));
    if (isHarmlessSoFar) found.plain = inner.words;
    current = inner.words;
  }
};

/** How a shell is started. */
export interface ShellStart {
  /** Text of `-c`. */
  text?: Word;
  /** A script file is given. */
  hasScript: boolean;
}

/** Whether the words start a shell, and with what. */
export const shellStart = (words: readonly Word[]): ShellStart | undefined => {
  const name = words[0] && onlyValue(words[0]);
  if (name === undefined || !shells.has(baseName(name))) return undefined;
  const rest = words.slice(1);
  for (let index = 0; index < rest.length; index++) {
    const option = rest[index] && onlyValue(rest[index] as Word);
    if (option === undefined) return { hasScript: true };
    if (option === "-o" || option === "+o" || option === "-O" || option === "--rcfile" || option === "--init-file")
      index++;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(option)) {
      // Options may stand between -c and its text.
      const text = rest.slice(index + 1).find((word) => !(onlyValue(word) ?? "").match(/^[-+][A-Za-z]/));
      return text ? { text, hasScript: false } : { hasScript: false };
    } else if (!/^[-+]/.test(option)) return { hasScript: true };
  }
  return { hasScript: false };
};
