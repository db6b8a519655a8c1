// What is known about one word of a command after quotes, expansions and globs are looked at.

export type Piece =
  | { kind: "text"; text: string }
  /** Unquoted pattern characters. */
  | { kind: "glob"; text: string }
  | {
      kind: "unknown";
      /** Source text, for messages and rules. */
      text: string;
      /** Unquoted: may become any number of words. */
      isSplit: boolean;
      /** Certainly names something below this folder. */
      under?: string;
      /** Name of the variable, when it looks secret. */
      secret?: string;
      /** Only digits. */
      isNumber?: boolean;
      /** A pipe from a process substitution. */
      isPipe?: boolean;
    };

export interface Word {
  /** As written, line continuations removed. */
  written: string;
  /** One of these; more than one for a loop variable over constants. */
  alternatives: Piece[][];
}

export const textWord = (text: string): Word => ({ written: text, alternatives: [[{ kind: "text", text }]] });

const constantOf = (pieces: readonly Piece[]): string | undefined =>
  pieces.every(({ kind }) => kind === "text") ? pieces.map(({ text }) => text).join("") : undefined;

/** All values the word can have, when they are known. */
export const valuesOf = (word: Word): string[] | undefined => {
  const values = word.alternatives.map(constantOf);
  return values.includes(undefined) ? undefined : (values as string[]);
};

/** The one value the word has, when it is known. */
export const onlyValue = (word: Word): string | undefined => {
  const values = valuesOf(word);
  return values?.length === 1 ? values[0] : undefined;
};

/** The word without quotes; what is unknown stays as written. */
export const unquoted = (word: Word): string => word.alternatives[0]?.map(({ text }) => text).join("") ?? "";

/** The text that every alternative certainly begins with (up to the first unknown or glob piece), one entry each. */
export const literalStarts = (word: Word): string[] =>
  word.alternatives.map((pieces) => {
    const end = pieces.findIndex(({ kind }) => kind !== "text");
    return pieces
      .slice(0, end === -1 ? undefined : end)
      .map(({ text }) => text)
      .join("");
  });

const isKnownAlternative = (pieces: readonly Piece[]): boolean => pieces.every(({ kind }) => kind === "text");

/** Whether the word could turn out to be an option. */
export const mayBeOption = (word: Word): boolean =>
  word.alternatives.some((pieces) => {
    if (isKnownAlternative(pieces)) return (constantOf(pieces) ?? "").startsWith("-");
    const [first] = pieces;
    if (first?.kind === "text" && first.text !== "") return first.text.startsWith("-");
    return !(first?.kind === "unknown" && (first.isNumber || first.isPipe));
  });

/** Whether the word can become several words or none. */
export const maySplit = (word: Word): boolean =>
  word.alternatives.some((pieces) =>
    pieces.some((piece) => piece.kind === "glob" || (piece.kind === "unknown" && piece.isSplit)),
  );

export const secretsOf = (word: Word): string[] =>
  word.alternatives.flat().flatMap((piece) => (piece.kind === "unknown" && piece.secret ? [piece.secret] : []));

export const isStaticWord = (word: Word): boolean => word.alternatives.every(isKnownAlternative);
