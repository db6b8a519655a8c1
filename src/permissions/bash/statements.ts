// Statements that stand one after the other.
import type { Collector } from "./collector.js";
import type { SyntaxNode } from "./parse.js";
import { type Feed, type Scope, unknownValue } from "./scope.js";

/** Statements one after the other. A background part beside others asks: order and folder are then open. */
export const visitStatements = (nodes: readonly SyntaxNode[], collector: Collector, scope: Scope): Feed => {
  const statements = nodes.filter(({ isNamed, type }) => isNamed && type !== "comment");
  if (statements.length > 1 && nodes.some(({ type }) => type === "&"))
    collector.note("B1", "a background part inside a list");
  if (statements.length > 1 && nodes.some(({ type }) => /^;;&?$|^;&$/.test(type)))
    collector.note("P1", "the end of a case arm outside of case");
  let output: Feed = {};
  for (const statement of statements) {
    output = collector.visit(statement, scope);
    settle(statement, scope);
  }
  return statements.length === 1 ? output : {};
};

/** After a list, what only its later parts did may not have happened. */
const settle = (statement: SyntaxNode, scope: Scope): void => {
  for (const name of scope.doubtful ?? []) scope.variables.set(name, unknownValue(`$${name}`));
  if (scope.hasDoubtfulFolder && statement.type === "list") scope.cwd = undefined;
  scope.doubtful = undefined;
  scope.hasDoubtfulFolder = false;
};
