// The checks on raw text and on the tree, in the order they run.
import type { Finding } from "../analysis.js";
import type { Collector } from "../collector.js";
import type { SyntaxNode } from "../parse.js";
import type { TextCheck, TreeCheck } from "./check.js";
import { controlCharacters } from "./control-characters.js";
import { invisibleText } from "./invisible-text.js";
import { padding } from "./padding.js";
import { parseError } from "./parse-error.js";
import { reparseDifference } from "./reparse-difference.js";
import { nestingDepth, size } from "./size.js";

const textChecks: readonly TextCheck[] = [controlCharacters, invisibleText, padding, size];
const treeChecks: readonly TreeCheck[] = [parseError, reparseDifference, nestingDepth];

/** Runs the checks on the raw text; a result means that the command is sent back. */
export const checkText = (text: string, collector: Collector): Finding | undefined => {
  for (const check of textChecks) {
    const refusal = check(text, collector);
    if (refusal) return refusal;
  }
  return undefined;
};

/** Runs the checks on one syntax tree. */
export const checkTree = (root: SyntaxNode, collector: Collector): void => {
  for (const check of treeChecks) check(root, collector);
};
