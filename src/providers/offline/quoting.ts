// Takes quoted and fenced parts out of a request before it is split into words, and puts them back afterwards.

export interface Protected {
  /** The text with each quoted part replaced by a mark. */
  text: string;
  parts: string[];
}

// A quote opens at a word's start and closes at a word's end, so that apostrophes stay what they are.
const quoted =
  /```[^\n]*\n([\s\S]*?)\n?```|`([^`\n]+)`|(?<![\w])"((?:[^"\\]|\\.)*)"|“([^”]*)”|«([^»]*)»|(?<![\w])'((?:[^'\n]|(?<=\w)'(?=\w))*)'(?!\w)|‘([^’]*)’(?!\w)/g;

const escapes: Record<string, string> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };
const withoutEscapes = (text: string): string =>
  text.replace(/\\([nt"\\])/g, (_, char: string) => escapes[char] ?? char);

const mark = (index: number): string => `\u0001${index}\u0001`;

/** Replaces quoted parts by marks. Inside double quotes \n and \t are a new line and a tab. */
export const protect = (source: string): Protected => {
  const parts: string[] = [];
  const text = source.replace(quoted, (...groups: unknown[]) => {
    const [, fenced, code, double, ...others] = groups as (string | undefined)[];
    const value =
      fenced !== undefined ? `${fenced}\n` : (code ?? (double !== undefined ? withoutEscapes(double) : undefined));
    parts.push(value ?? others.slice(0, 4).find((other) => typeof other === "string") ?? "");
    return mark(parts.length - 1);
  });
  return { text, parts };
};

const marks = /\u0001(\d+)\u0001/g;

/** The value of a piece of protected text: quoted parts without their quotes. */
export const reveal = (piece: string, { parts }: Protected): string =>
  piece.replace(marks, (_, index: string) => parts[Number(index)] ?? "").trim();

/** As `reveal`, for a word that is not quoted: punctuation that ends a sentence is no part of it. */
export const revealWord = (piece: string, source: Protected): string =>
  /^\u0001\d+\u0001[.,;:!?]*$/.test(piece.trim())
    ? reveal(piece.trim().replace(/[.,;:!?]+$/, ""), source)
    : reveal(piece.trim().replace(/[,;:!?]+$|\.$/, ""), source);

/** Like `reveal`, but every quoted part keeps double quotes around it: text that can be parsed again. */
export const requote = (piece: string, { parts }: Protected): string =>
  piece.replace(marks, (_, index: string) => JSON.stringify(parts[Number(index)] ?? "")).trim();
