// Evaluates the words of a command as far as the text allows: quotes, variables, tildes, braces, globs, substitutions.
import type { ShellContext } from "./analysis.js";
import { type Atom, expandBraces } from "./braces.js";
import { expandParameter, parameterValue, visitInside } from "./expansion.js";
import type { SyntaxNode } from "./parse.js";
import { ansiText, bareAtoms, doubleQuotedAtoms, singleQuotedAtoms } from "./quoting.js";
import type { Scope } from "./scope.js";
import { sliceOf, type Walk } from "./walk.js";
import type { Piece, Word } from "./words.js";

interface Slot {
  alternatives: Piece[][];
  isQuoted: boolean;
}

interface Draft {
  atoms: Atom[];
  slots: Slot[];
}

const addSlot = (draft: Draft, alternatives: Piece[][], isQuoted: boolean): void => {
  draft.atoms.push({ char: "", isQuoted, slot: draft.slots.length });
  draft.slots.push({ alternatives, isQuoted });
};

const unknown = (text: string, extra: Partial<Extract<Piece, { kind: "unknown" }>> = {}): Piece[][] => [
  [{ kind: "unknown", text, isSplit: false, ...extra }],
];

/** The substitution's text without the blanks that the grammar puts in front of it inside strings. */
const trimmed = (walk: Walk, node: SyntaxNode): string => sliceOf(walk, node).trimStart();

const substitution = (node: SyntaxNode, draft: Draft, isQuoted: boolean, walk: Walk, scope: Scope): void => {
  const text = trimmed(walk, node);
  if (node.type === "process_substitution") {
    if (text.startsWith(">")) walk.note("E1", "an output process substitution feeds a command");
    walk.substitute(node, scope);
    addSlot(draft, unknown(text, { isPipe: true }), isQuoted);
    return;
  }
  const { under, isNumber } = walk.substitute(node, scope);
  addSlot(draft, unknown(text, { isSplit: !isQuoted, under, isNumber }), isQuoted);
};

const arithmetic = (node: SyntaxNode, draft: Draft, isQuoted: boolean, walk: Walk, scope: Scope): void => {
  const text = trimmed(walk, node);
  if (!/^\$\(\([\s\d+\-*/%()<>=!&|^~?:]*\)\)$/.test(text))
    walk.note("E3", `${text} evaluates more than literal numbers`);
  visitInside(node.children, walk, scope);
  addSlot(draft, unknown(text, { isNumber: true }), isQuoted);
};

/** Expansions common to bare and quoted text; false when the node is something else. */
const expansion = (node: SyntaxNode, draft: Draft, isQuoted: boolean, walk: Walk, scope: Scope): boolean => {
  switch (node.type) {
    case "simple_expansion":
      addSlot(draft, parameterValue(trimmed(walk, node).slice(1), walk, scope), isQuoted);
      return true;
    case "expansion":
      addSlot(draft, expandParameter(node, walk, scope), isQuoted);
      return true;
    case "command_substitution":
    case "process_substitution":
      substitution(node, draft, isQuoted, walk, scope);
      return true;
    case "arithmetic_expansion":
      arithmetic(node, draft, isQuoted, walk, scope);
      return true;
    default:
      return false;
  }
};

const leadingBlanks = (text: string): number => text.length - text.trimStart().length;

/** Text between double quotes (or of a here-document): literal slices between the expansions. */
const quotedText = (node: SyntaxNode, from: number, to: number, draft: Draft, walk: Walk, scope: Scope): void => {
  let at = from;
  for (const child of node.children) {
    if (child.start < from || child.end > to || !child.isNamed) continue;
    const isLiteral = child.type === "string_content" || child.type === "heredoc_content";
    if (isLiteral) continue;
    const start = child.start + leadingBlanks(sliceOf(walk, child));
    literalSlice(walk.source.slice(at, start), draft, walk);
    if (!expansion(child, draft, true, walk, scope)) walk.note("P2", `${child.type} inside quotes is not known`);
    at = child.end;
  }
  literalSlice(walk.source.slice(at, to), draft, walk);
};

const literalSlice = (text: string, draft: Draft, walk: Walk): void => {
  // What the grammar took for plain text must not be live for bash.
  if (/(?<!\\)(?:\\\\)*(`|\$[({[])/.test(text)) walk.note("E2", "a substitution that the parser did not see");
  draft.atoms.push(...doubleQuotedAtoms(text));
};

const fill = (node: SyntaxNode, draft: Draft, walk: Walk, scope: Scope): void => {
  const text = sliceOf(walk, node);
  switch (node.type) {
    case "word":
    case "number":
    case "brace_expression":
    case "variable_name":
    case "special_variable_name":
    case "test_operator":
    case "extglob_pattern":
    case "file_descriptor":
      if (node.type === "extglob_pattern" && /[`$]|[?*+@!]\(/.test(text))
        walk.note("P2", `the pattern ${text} is not plain`);
      if (node.type === "word" && /(?<!\\)[`]|\$[({[]/.test(text))
        walk.note("P3", `${text} holds an expansion the parser did not see`);
      draft.atoms.push(...bareAtoms(text));
      return;
    case "raw_string":
      draft.atoms.push(...singleQuotedAtoms(text.slice(1, -1)));
      return;
    case "ansi_c_string":
      draft.atoms.push(...singleQuotedAtoms(ansiText(text.slice(2, -1))));
      return;
    case "string":
      // Quotes make a word even of nothing.
      draft.atoms.push({ char: "", isQuoted: true });
      quotedText(node, node.start + 1, node.end - 1, draft, walk, scope);
      return;
    case "concatenation":
    case "command_name":
      for (const child of node.children) fill(child, draft, walk, scope);
      return;
    default:
      if (expansion(node, draft, false, walk, scope)) return;
      if (!node.isNamed && /^[$,:=+.%/#~^!?*@-]+$/.test(text)) {
        draft.atoms.push(...bareAtoms(text));
        return;
      }
      walk.note("P2", `${node.type} is not part of the accepted syntax`);
      addSlot(draft, unknown(text, { isSplit: true }), false);
  }
};

/** `~` and `~/` at the start become the home folder; the home of another user or a former folder stays unknown. */
const expandTilde = (atoms: Atom[], draft: Draft, { home }: ShellContext): Atom[] => {
  const [first, second] = atoms;
  if (first?.char !== "~" || first.isQuoted || first.slot !== undefined) return atoms;
  if (second === undefined || (second.char === "/" && second.slot === undefined))
    return [...singleQuotedAtoms(home), ...atoms.slice(1)];
  const slot = draft.slots.length;
  draft.slots.push({ alternatives: unknown("~"), isQuoted: true });
  return [{ char: "", isQuoted: true, slot }, ...atoms.slice(1)];
};

const maxAlternatives = 64; // more loop values than this are not followed

const pushText = (pieces: Piece[], kind: "text" | "glob", text: string): void => {
  const last = pieces.at(-1);
  if (last?.kind === kind) last.text += text;
  else pieces.push({ kind, text });
};

/** How a slot's value reads here: unquoted text may split and glob. */
const slotPieces = (pieces: readonly Piece[], isQuoted: boolean): Piece[] =>
  pieces.flatMap((piece): Piece[] => {
    if (piece.kind !== "text") {
      if (piece.kind === "unknown") return [{ ...piece, isSplit: piece.isNumber || piece.isPipe ? false : !isQuoted }];
      return isQuoted ? [{ kind: "text", text: piece.text }] : [{ ...piece }];
    }
    if (isQuoted || !/[\s*?[\]\\]/.test(piece.text)) return [{ ...piece }];
    return [{ kind: "unknown", text: piece.text, isSplit: true }];
  });

/** One word from its characters, over all values of the variables in it. */
const assemble = (atoms: readonly Atom[], draft: Draft, written: string): Word => {
  let alternatives: Piece[][] = [[]];
  for (const atom of atoms) {
    if (atom.slot === undefined) {
      const isGlob = !atom.isQuoted && /[*?[\]]/.test(atom.char);
      for (const pieces of alternatives) pushText(pieces, isGlob ? "glob" : "text", atom.char);
      continue;
    }
    const slot = draft.slots[atom.slot];
    const values = (slot?.alternatives ?? []).map((value) => slotPieces(value, atom.isQuoted));
    if (alternatives.length * values.length > maxAlternatives) {
      for (const pieces of alternatives) pieces.push({ kind: "unknown", text: written, isSplit: !atom.isQuoted });
      continue;
    }
    alternatives = alternatives.flatMap((pieces) =>
      values.map((value) => [...pieces.map((piece) => ({ ...piece })), ...value.map((piece) => ({ ...piece }))]),
    );
  }
  return { written, alternatives: alternatives.map((pieces) => plainBrackets(withoutEmpty(pieces))) };
};

/** Empty quotes beside other pieces say nothing. */
const withoutEmpty = (pieces: Piece[]): Piece[] => {
  const full = pieces.filter(({ kind, text }) => kind !== "text" || text !== "");
  return full.length > 0 ? full : pieces;
};

/** A closing bracket without an opening one is no pattern. */
const plainBrackets = (pieces: Piece[]): Piece[] => {
  const isPattern = pieces.some(({ kind, text }) => kind === "glob" && /[*?]|\[/.test(text));
  return isPattern
    ? pieces
    : pieces.map((piece) => (piece.kind === "glob" ? { kind: "text", text: piece.text } : piece));
};

/** An unquoted variable alone whose one value is known: bash splits it at blanks and expands patterns. */
const splitValue = (atoms: readonly Atom[], draft: Draft): Word[] | undefined => {
  const [atom] = atoms;
  if (atoms.length !== 1 || atom?.slot === undefined || atom.isQuoted) return undefined;
  const values = draft.slots[atom.slot]?.alternatives ?? [];
  if (values.length !== 1 || !values[0]?.every(({ kind }) => kind === "text")) return undefined;
  const text = values[0].map((piece) => piece.text).join("");
  if (/[\\]/.test(text)) return undefined;
  return text
    .split(/[ \t\n]+/)
    .filter((part) => part !== "")
    .map((part) => {
      const pieces: Piece[] = [];
      for (const char of part) pushText(pieces, /[*?[\]]/.test(char) ? "glob" : "text", char);
      return { written: part, alternatives: [plainBrackets(pieces)] };
    });
};

const writtenOf = (walk: Walk, node: SyntaxNode): string => sliceOf(walk, node).replace(/\\\n/g, "");

/** The words one node of an argument list becomes: usually one; braces and split variables give more. */
export const evaluateWords = (node: SyntaxNode, walk: Walk, scope: Scope): Word[] => {
  const draft: Draft = { atoms: [], slots: [] };
  fill(node, draft, walk, scope);
  const written = writtenOf(walk, node);
  const fields = expandBraces(draft.atoms);
  if (!fields) return [{ written, alternatives: unknown(written, { isSplit: true }) }];
  return fields.flatMap((atoms) => {
    const split = splitValue(atoms, draft);
    if (split) return split;
    const word = assemble(expandTilde(atoms, draft, walk.context), draft, written);
    // Several words of one brace: each is shown as what it becomes.
    return fields.length > 1
      ? { ...word, written: word.alternatives[0]?.map(({ text }) => text).join("") ?? "" }
      : word;
  });
};

/** The value of a node that does not split or glob: an assignment, a here-string, a pattern of `[[`. */
export const evaluateValue = (node: SyntaxNode, walk: Walk, scope: Scope): Word => {
  const draft: Draft = { atoms: [], slots: [] };
  fill(node, draft, walk, scope);
  const atoms = expandTilde(draft.atoms, draft, walk.context).map((atom) => ({ ...atom, isQuoted: true }));
  return assemble(atoms, draft, writtenOf(walk, node));
};

/** The body of a here-document whose marker is not quoted. */
export const evaluateBody = (node: SyntaxNode, walk: Walk, scope: Scope): Word => {
  const draft: Draft = { atoms: [], slots: [] };
  quotedText(node, node.start, node.end, draft, walk, scope);
  return assemble(draft.atoms, draft, sliceOf(walk, node));
};
