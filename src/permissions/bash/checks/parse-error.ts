// P1: what the parser could not read. Bash may run it all the same, so nothing about it is certain.
import { type Collector, markOpaque } from "../collector.js";
import type { SyntaxNode } from "../parse.js";
import type { TreeCheck } from "./check.js";

const look = (node: SyntaxNode, collector: Collector): boolean => {
  if (node.isError || node.isMissing) {
    markOpaque(collector, "P1", "the command does not parse as bash");
    return true;
  }
  return node.children.some((child) => look(child, collector));
};

export const parseError: TreeCheck = (root, collector) => {
  look(root, collector);
};
