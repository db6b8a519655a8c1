// Values of variables and the forms of `${…}`.

import { looksSecret } from "./names.js";
import type { SyntaxNode } from "./parse.js";
import type { Scope } from "./scope.js";
import { sliceOf, type Walk } from "./walk.js";
import type { Piece } from "./words.js";

const unknown = (name: string, extra: Partial<Extract<Piece, { kind: "unknown" }>> = {}): Piece[][] => [
  [{ kind: "unknown", text: `$${name}`, isSplit: true, ...(looksSecret(name) ? { secret: name } : {}), ...extra }],
];

const constant = (text: string): Piece[][] => [[{ kind: "text", text }]];

/** The value of `$name`. */
export const parameterValue = (name: string, { context }: Walk, scope: Scope): Piece[][] => {
  const known = scope.variables.get(name);
  if (known) return known;
  if (/^[?#$!]$/.test(name)) return unknown(name, { isNumber: true });
  if (name === "HOME") return constant(context.home);
  if (name === "PWD") return scope.cwd === undefined ? unknown(name) : constant(scope.cwd);
  // Other variables differ between here and there; their text is not relied upon.
  return unknown(name);
};

const trims: ReadonlySet<string> = new Set(["#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,"]);
const defaults: ReadonlySet<string> = new Set([":-", "-", ":+", "+"]);

/** Visits the words inside an expansion: they may hold substitutions of their own. */
export const visitInside = (nodes: readonly SyntaxNode[], walk: Walk, scope: Scope): boolean => {
  let isPlain = true;
  for (const node of nodes) {
    const text = sliceOf(walk, node);
    if (node.type === "command_substitution" || node.type === "process_substitution") {
      walk.substitute(node, scope);
      isPlain = false;
    } else if (node.children.length > 0) isPlain = visitInside(node.children, walk, scope) && isPlain;
    else if (/[`]|\$[({[]/.test(text) && node.isNamed && node.type !== "raw_string") {
      walk.note("P2", `${text} inside an expansion is not plain`);
      isPlain = false;
    }
  }
  return isPlain;
};

/** The value of `${…}`; forms that evaluate text or assign are noted. */
export const expandParameter = (node: SyntaxNode, walk: Walk, scope: Scope): Piece[][] => {
  const text = sliceOf(walk, node).trimStart();
  const members = node.children.filter(({ type }) => !type.trimStart().startsWith("${") && type !== "}");
  const name = /^\$\{#?!?([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!_-])/.exec(text)?.[1] ?? "";
  const secret = looksSecret(name) ? { secret: name } : {};
  const plain: Piece[][] = [[{ kind: "unknown", text, isSplit: true, ...secret }]];
  if (members.some(({ type }) => type === "subscript")) {
    walk.note("E3", `${text} evaluates a subscript`);
    visitInside(members, walk, scope);
    return plain;
  }
  const [first] = members;
  if (first?.field === "operator" || first?.type === "!" || first?.type === "#") {
    if (first.type === "#" && members.length === 2)
      return [[{ kind: "unknown", text, isSplit: false, isNumber: true }]];
    walk.note("E4", `${text} expands a name it looks up first`);
    visitInside(members, walk, scope);
    return plain;
  }
  const operator = members.find(({ field }) => field === "operator")?.type;
  if (operator === undefined)
    return members.length === 1 ? parameterValue(name, walk, scope) : noteUnknown(text, walk, plain);
  visitInside(members, walk, scope);
  if (defaults.has(operator) || trims.has(operator)) return plain;
  if (operator === "@") walk.note("E4", `${text} transforms its value`);
  else if (operator === ":") walk.note("E3", `${text} evaluates an offset`);
  else if (operator.endsWith("=")) {
    walk.note("D5", `${text} sets a variable`);
    scope.variables.set(name, plain);
  } else walk.note("P2", `${text} is not part of the accepted syntax`);
  return plain;
};

const noteUnknown = (text: string, walk: Walk, value: Piece[][]): Piece[][] => {
  walk.note("P2", `${text} is not part of the accepted syntax`);
  return value;
};
