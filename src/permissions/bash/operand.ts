// Turns a word into the path it would name, as far as that is known.
import type { Operand } from "./analysis.js";
import type { Scope } from "./scope.js";
import { onlyValue, type Piece, type Word } from "./words.js";

type Extra = Pick<Operand, "isRecursive" | "isMetadata">;

const absolute = (path: string, cwd: string | undefined): string | undefined => {
  if (path.startsWith("/")) return path;
  // An empty word names nothing; it is judged as the folder itself.
  return cwd === undefined ? undefined : path === "" ? cwd : `${cwd}/${path}`;
};

const ofAlternative = (pieces: readonly Piece[], word: Word, scope: Scope, extra: Extra): Operand | undefined => {
  const text = word.written;
  if (pieces.length === 1 && pieces[0]?.kind === "unknown") {
    const [piece] = pieces;
    if (piece.isPipe) return undefined;
    if (piece.isNumber) return { text, ...extra, ...pathOf(absolute("0", scope.cwd)) };
    return { text, ...extra, ...(piece.under === undefined ? {} : { under: piece.under }) };
  }
  if (pieces.some(({ kind }) => kind === "unknown")) {
    const isNumbered = pieces.every((piece) => piece.kind !== "unknown" || piece.isNumber);
    const joined = pieces.map((piece) => (piece.kind === "unknown" ? "0" : piece.text)).join("");
    return isNumbered ? { text, ...extra, ...pathOf(absolute(joined, scope.cwd)) } : { text, ...extra };
  }
  const joined = pieces.map(({ text: part }) => part).join("");
  const place = absolute(joined, scope.cwd);
  if (place === undefined) return { text, ...extra };
  return pieces.some(({ kind }) => kind === "glob") ? { text, ...extra, glob: place } : { text, ...extra, path: place };
};

const pathOf = (path: string | undefined): Pick<Operand, "path"> => (path === undefined ? {} : { path });

/** The operands a word stands for; none for a pipe of a process substitution. */
export const operandsOf = (word: Word, scope: Scope, extra: Extra = {}): Operand[] =>
  word.alternatives.flatMap((pieces) => ofAlternative(pieces, word, scope, extra) ?? []);

/** Whether a word is certainly this text. */
export const isWord = (word: Word | undefined, text: string): boolean => word !== undefined && onlyValue(word) === text;
