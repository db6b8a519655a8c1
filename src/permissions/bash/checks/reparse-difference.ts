// P3: between the parts of the tree only blanks may lie; anything else was skipped by the parser but not by bash.
import { type Collector, markOpaque } from "../collector.js";
import type { SyntaxNode } from "../parse.js";
import type { TreeCheck } from "./check.js";

/** Inside these, plain text is no node of its own; it is read from the source. */
const textual: ReadonlySet<string> = new Set(["string", "translated_string", "heredoc_body", "heredoc_redirect"]);

const isBlank = (text: string): boolean => /^(?:[ \t\n]|\\\n)*$/.test(text);

const look = (node: SyntaxNode, collector: Collector): boolean => {
  if (node.children.length === 0) return true;
  let at = node.start;
  for (const child of node.children) {
    if (!textual.has(node.type) && child.start > at && !isBlank(collector.source.slice(at, child.start))) return false;
    if (!look(child, collector)) return false;
    at = Math.max(at, child.end);
  }
  return textual.has(node.type) || isBlank(collector.source.slice(at, node.end));
};

export const reparseDifference: TreeCheck = (root, collector) => {
  const { source } = collector;
  const isWhole = isBlank(source.slice(0, root.start)) && isBlank(source.slice(root.end));
  if (!isWhole || !look(root, collector)) markOpaque(collector, "P3", "parts of the text are not in the syntax tree");
};
