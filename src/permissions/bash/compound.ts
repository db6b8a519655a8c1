// Branches, loops, case and tests: what they may have changed is unknown afterwards.
import type { Collector } from "./collector.js";
import { addCommand } from "./command.js";
import { evaluateValue, evaluateWords } from "./evaluate.js";
import { isPlainVariable } from "./names.js";
import type { SyntaxNode } from "./parse.js";
import { type Feed, fork, joinBranches, type Scope, unknownValue } from "./scope.js";
import { visitStatements } from "./statements.js";
import { sliceOf } from "./walk.js";
import { onlyValue, type Piece, textWord, type Word } from "./words.js";

const settersOfNames: ReadonlySet<string> = new Set(
  "read mapfile readarray printf getopts declare local export typeset let unset eval source .".split(" "),
);

/** Names that anything inside may set, and whether the folder may change. */
const effectsOf = (node: SyntaxNode, collector: Collector): { names: Set<string>; moves: boolean } => {
  const names = new Set<string>();
  let moves = false;
  const look = (current: SyntaxNode): void => {
    if (current.type === "variable_assignment" || current.type === "for_statement")
      for (const child of current.children)
        if (child.type === "variable_name" || child.type === "subscript")
          names.add(sliceOf(collector, child).replace(/\[.*$/s, ""));
    if (current.type === "command" || current.type === "declaration_command" || current.type === "unset_command") {
      const words = sliceOf(collector, current).split(/[\s=]+/);
      if (words.some((word) => settersOfNames.has(word)))
        for (const word of words) names.add(word.replace(/["'\\]|\[.*$/gs, ""));
      if (words.some((word) => /^["'\\]?(cd|pushd|popd|eval|source|\.)["']?$/.test(word))) moves = true;
    }
    for (const child of current.children) look(child);
  };
  look(node);
  return { names, moves };
};

/** In a loop the later rounds see what the earlier ones changed. */
const forgetChanges = (node: SyntaxNode, collector: Collector, scope: Scope): void => {
  const { names, moves } = effectsOf(node, collector);
  for (const name of names) scope.variables.set(name, unknownValue(`$${name}`));
  if (moves) {
    scope.cwd = undefined;
    scope.hasMoved = true;
  }
};

export const visitIf = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const branches: Scope[] = [];
  const walk = (current: SyntaxNode): void => {
    const at = current.children.findIndex(({ type }) => type === "then");
    const isElse = current.type === "else_clause";
    const conditions = isElse ? [] : current.children.slice(0, Math.max(0, at));
    const rest = isElse ? current.children : current.children.slice(at + 1);
    visitStatements(conditions, collector, scope);
    const clauses = rest.filter(({ type }) => type === "elif_clause" || type === "else_clause");
    const branch = fork(scope);
    visitStatements(
      rest.filter((child) => !clauses.includes(child)),
      collector,
      branch,
    );
    branches.push(branch);
    for (const clause of clauses) walk(clause);
  };
  walk(node);
  joinBranches(scope, branches);
  return {};
};

export const visitLoop = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  forgetChanges(node, collector, scope);
  const branch = fork(scope);
  visitStatements(node.children, collector, branch);
  joinBranches(scope, [branch]);
  return {};
};

/** A loop value: a glob gives names below its folder. */
const loopValue = (pieces: Piece[], word: Word, scope: Scope): Piece[] => {
  if (!pieces.some(({ kind }) => kind === "glob")) return pieces;
  const unknown: Piece = { kind: "unknown", text: word.written, isSplit: true };
  if (pieces.some(({ kind }) => kind === "unknown") || scope.cwd === undefined) return [unknown];
  const glob = pieces.map(({ text }) => text).join("");
  const start = glob.slice(0, glob.search(/[*?[]/));
  const folder = start.slice(0, start.lastIndexOf("/") + 1);
  const under = folder.startsWith("/") ? folder : `${scope.cwd}/${folder}`;
  // The literal start stays, so that a name cannot be taken for an option.
  return folder === "" ? [{ ...unknown, under: scope.cwd }] : [{ ...unknown, under }];
};

const maxUnrolled = 8; // rounds walked one by one

export const visitFor = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  if (node.children[0]?.type === "select") collector.note("P2", "select asks for input");
  const target = node.children.find(({ field }) => field === "variable");
  const name = target ? sliceOf(collector, target) : "";
  if (!isPlainVariable(name, collector.context.env)) collector.note("D3", `a loop sets ${name}`);
  const values = node.children.filter(({ field, isNamed }) => field === "value" && isNamed);
  const words = values.flatMap((value) => evaluateWords(value, collector, scope));
  const body = node.children.find(({ field }) => field === "body");
  const isShort =
    words.length > 0 && words.length <= maxUnrolled && words.every((word) => onlyValue(word) !== undefined);
  if (body && isShort && effectsOf(body, collector).moves) return unroll(name, words, body, collector, scope);
  forgetChanges(node, collector, scope);
  const branch = fork(scope);
  const alternatives = words.flatMap((word) => word.alternatives.map((pieces) => loopValue(pieces, word, scope)));
  branch.variables.set(
    name,
    alternatives.length > 0 && alternatives.length <= 64 ? alternatives : unknownValue(`$${name}`),
  );
  if (body) collector.visit(body, branch);
  joinBranches(scope, [branch]);
  return {};
};

/** A loop over a few constants that changes the folder is walked round by round, so that the folder stays known. */
const unroll = (name: string, words: readonly Word[], body: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const branch = fork(scope);
  for (const word of words) {
    branch.variables.set(name, word.alternatives);
    collector.visit(body, branch);
  }
  joinBranches(scope, [branch]);
  return {};
};

export const visitCase = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const value = node.children.find(({ field }) => field === "value");
  if (value) evaluateValue(value, collector, scope);
  const branches: Scope[] = [];
  // Arms may fall through, so each may see what the others changed.
  forgetChanges(node, collector, scope);
  for (const item of node.children.filter(({ type }) => type === "case_item")) {
    for (const pattern of item.children.filter(({ field }) => field === "value"))
      evaluateValue(pattern, collector, scope);
    const branch = fork(scope);
    visitStatements(
      item.children.filter(({ field }) => field !== "value" && field !== "termination" && field !== "fallthrough"),
      collector,
      branch,
    );
    branches.push(branch);
  }
  joinBranches(scope, branches);
  return {};
};

const expressions: ReadonlySet<string> = new Set(
  "binary_expression unary_expression parenthesized_expression ternary_expression postfix_expression".split(" "),
);

/** `[ … ]` and `[[ … ]]` as the words of a command. */
export const visitTest = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const opening = node.children[0]?.type ?? "[";
  if (opening === "((") collector.note("E3", "(( )) evaluates text as arithmetic");
  const isDouble = opening !== "[";
  const words: Word[] = [];
  let end = -1;
  const flatten = (current: SyntaxNode): void => {
    const text = sliceOf(collector, current);
    if (!expressions.has(current.type)) {
      // What bash reads as one word must not be taken apart.
      if (current.start === end && !/^[()]$/.test(text) && !/[()]/.test(collector.source[end - 1] ?? ""))
        collector.note("P3", `${text} is part of a longer word`);
      end = current.end;
    }
    if (expressions.has(current.type)) for (const child of current.children) flatten(child);
    else if (current.type === "regex" || current.type === "extglob_pattern") {
      if (/[`]|\$[({[]/.test(text)) collector.note("P2", `${text} holds an expansion the parser did not see`);
      words.push({ written: text, alternatives: [[{ kind: "unknown", text, isSplit: false, isNumber: true }]] });
    } else if (!current.isNamed) words.push(textWord(text));
    else if (isDouble) words.push(evaluateValue(current, collector, scope));
    else words.push(...evaluateWords(current, collector, scope));
  };
  for (const child of node.children) flatten(child);
  addCommand(words, [], collector, scope, false);
  return {};
};
