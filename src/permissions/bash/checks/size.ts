// T5: texts too long or nested too deep to be judged by a person or by us; deny rules are looked up all the same.
import { maxLength } from "../collector.js";
import type { SyntaxNode } from "../parse.js";
import type { TextCheck, TreeCheck } from "./check.js";

const maxNesting = 32;
const nesting: ReadonlySet<string> = new Set(
  (
    "subshell compound_statement command_substitution process_substitution if_statement while_statement for_statement " +
    "case_statement do_group function_definition string arithmetic_expansion expansion"
  ).split(" "),
);

export const size: TextCheck = (text, collector) => {
  if (text.length > maxLength) collector.note("T5", `the command is longer than ${maxLength} characters`);
  return undefined;
};

const depthOf = (node: SyntaxNode): number => {
  let deepest = 0;
  for (const child of node.children) deepest = Math.max(deepest, depthOf(child));
  return deepest + (nesting.has(node.type) ? 1 : 0);
};

export const nestingDepth: TreeCheck = (root, collector) => {
  if (depthOf(root) > maxNesting) collector.note("T5", `nested deeper than ${maxNesting}`);
};
