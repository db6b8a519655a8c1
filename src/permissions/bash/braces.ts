// Brace expansion on the characters of a word, before variables are filled in.

/** A character with its quoting, or a placeholder for an expansion. */
export interface Atom {
  char: string;
  isQuoted: boolean;
  /** Index into the word's list of expansions. */
  slot?: number;
}

const maxWords = 200; // more than this is not followed

const isBare = (atom: Atom | undefined, char: string): boolean =>
  atom !== undefined && atom.slot === undefined && !atom.isQuoted && atom.char === char;

/** Index of the brace that closes the one at `open`, and the commas between them at the same depth. */
const closing = (atoms: readonly Atom[], open: number): { close: number; commas: number[] } | undefined => {
  const commas: number[] = [];
  let depth = 0;
  for (let index = open + 1; index < atoms.length; index++) {
    if (isBare(atoms[index], "{")) depth++;
    else if (isBare(atoms[index], "}")) {
      if (depth === 0) return { close: index, commas };
      depth--;
    } else if (depth === 0 && isBare(atoms[index], ",")) commas.push(index);
  }
  return undefined;
};

const range = (inside: readonly Atom[]): string[] | undefined => {
  if (inside.some(({ slot, isQuoted }) => slot !== undefined || isQuoted)) return undefined;
  const text = inside.map(({ char }) => char).join("");
  const [, from, to, step] = text.match(/^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isNumber = /\d/.test(from) && /\d/.test(to);
  if (!isNumber && (/\d/.test(from) || /\d/.test(to))) return undefined;
  const [a, b] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const by = Math.abs(Number(step ?? 1)) || 1;
  if (Math.abs(b - a) / by >= maxWords) return undefined;
  const values: string[] = [];
  for (let value = a; a <= b ? value <= b : value >= b; value += a <= b ? by : -by)
    values.push(isNumber ? String(value) : String.fromCharCode(value));
  return values;
};

/** Expands braces. Returns undefined when there would be too many words. */
export const expandBraces = (atoms: readonly Atom[]): Atom[][] | undefined => {
  for (let open = 0; open < atoms.length; open++) {
    if (!isBare(atoms[open], "{")) continue;
    const found = closing(atoms, open);
    if (!found) continue;
    const inside = atoms.slice(open + 1, found.close);
    const choices = choicesOf(
      inside,
      found.commas.map((comma) => comma - open - 1),
    );
    if (!choices) continue;
    const head = atoms.slice(0, open);
    const words: Atom[][] = [];
    for (const choice of choices) {
      const expanded = expandBraces([...head, ...choice, ...atoms.slice(found.close + 1)]);
      if (!expanded || words.length + expanded.length > maxWords) return undefined;
      words.push(...expanded);
    }
    return words;
  }
  return [[...atoms]];
};

const choicesOf = (inside: Atom[], commas: number[]): Atom[][] | undefined => {
  if (commas.length > 0) {
    const cuts = [-1, ...commas, inside.length];
    return cuts.slice(1).map((end, index) => inside.slice((cuts[index] ?? 0) + 1, end));
  }
  return range(inside)?.map((value) => [...value].map((char) => ({ char, isQuoted: true })));
};
