// Assignments and declarations: what they set, and when that steers later commands.
import { addPart, type Collector } from "./collector.js";
import { evaluateValue, evaluateWords } from "./evaluate.js";
import { isPlainVariable, isSafeInFront } from "./names.js";
import type { SyntaxNode } from "./parse.js";
import { finding } from "./read-only/classify.js";
import { type Scope, unknownValue } from "./scope.js";
import { sliceOf } from "./walk.js";
import { isStaticWord, type Piece, unquoted, type Word } from "./words.js";

export interface Assignment {
  name: string;
  value: Word | undefined;
  /** `name[i]=…`, or a list in parentheses. */
  isArray: boolean;
  isAppend: boolean;
  written: string;
}

const noteArray = (collector: Collector, written: string): void =>
  collector.note("E3", `${written} sets an array, whose index is evaluated`);

/** Evaluates one assignment without applying it. */
export const readAssignment = (node: SyntaxNode, collector: Collector, scope: Scope): Assignment => {
  const target = node.children.find(({ field }) => field === "name");
  const value = node.children.find(({ field }) => field === "value");
  const written = sliceOf(collector, node);
  const isArray = target?.type !== "variable_name" || value?.type === "array";
  const name = (target ? sliceOf(collector, target) : "").replace(/\[.*$/s, "");
  const isAppend = node.children.some(({ type }) => type === "+=");
  if (target?.type === "subscript") for (const part of target.children) visitSubscript(part, collector, scope);
  if (value?.type === "array") {
    for (const member of value.children.filter(({ isNamed }) => isNamed)) evaluateWords(member, collector, scope);
    return { name, value: undefined, isArray, isAppend, written };
  }
  return { name, value: value && evaluateValue(value, collector, scope), isArray, isAppend, written };
};

const visitSubscript = (node: SyntaxNode, collector: Collector, scope: Scope): void => {
  if (node.type === "command_substitution") collector.substitute(node, scope);
  for (const child of node.children) visitSubscript(child, collector, scope);
};

/** Sets a variable in the shell; notes names that steer what later commands do. */
export const assign = (
  { name, value, isArray, isAppend, written }: Assignment,
  collector: Collector,
  scope: Scope,
): void => {
  if (isArray) noteArray(collector, written);
  const isSafe = isSafeInFront(name) && value !== undefined && isStaticWord(value);
  if (!isSafe && !isPlainVariable(name, collector.context.env))
    collector.note("D3", `setting ${name} can change what later commands do`);
  const known = !isArray && !isAppend ? value?.alternatives : undefined;
  scope.variables.set(name, known ?? (value === undefined && !isArray ? [[]] : unknownValue(`$${name}`)));
};

/** A variable whose value comes from outside. */
export const setUnknown = (name: string, scope: Scope, value: Piece[][] = unknownValue(`$${name}`)): void => {
  scope.variables.set(name, value);
};

const strictPart = (text: string, words: readonly Word[], check: string, why: string, scope: Scope) => ({
  text,
  allowText: text,
  strictTexts: [text, words.map(unquoted).join(" ")],
  isStatic: words.every(isStaticWord),
  findings: [finding(check, why)],
  unruled: [finding(check, why)],
  reads: [],
  writes: [],
  removals: [],
  isFileCommand: false,
  cwd: scope.cwd,
});

/** `export`, `declare`, `local`, `readonly`, `typeset`, `unset`. Only safe names with known values pass. */
export const visitDeclaration = (node: SyntaxNode, collector: Collector, scope: Scope): void => {
  const text = sliceOf(collector, node).replace(/\s+/g, " ");
  const words: Word[] = [];
  let isSafe = node.children[0]?.type === "export";
  let count = 0;
  for (const child of node.children.slice(1)) {
    if (child.type === "variable_assignment") {
      const assignment = readAssignment(child, collector, scope);
      const isKnown = assignment.value !== undefined && isStaticWord(assignment.value) && !assignment.isArray;
      isSafe &&= isSafeInFront(assignment.name) && isKnown;
      scope.variables.set(assignment.name, unknownValue(`$${assignment.name}`));
      words.push({ written: assignment.written, alternatives: [[{ kind: "text", text: assignment.written }]] });
      count++;
    } else if (child.isNamed) {
      isSafe = false;
      const evaluated = evaluateWords(child, collector, scope);
      for (const word of evaluated) setUnknown(unquoted(word).replace(/[[=+].*$/s, ""), scope);
      words.push(...evaluated);
    }
  }
  const keyword = sliceOf(collector, node.children[0] ?? node);
  if (isSafe && count > 0) return;
  const head: Word = { written: keyword, alternatives: [[{ kind: "text", text: keyword }]] };
  addPart(collector, strictPart(text, [head, ...words], "D5", `${keyword} changes what later commands see`, scope));
};
