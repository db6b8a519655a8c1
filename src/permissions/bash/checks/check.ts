// The shape of a check on the raw text or on the syntax tree.
import type { Collector } from "../collector.js";
import type { SyntaxNode } from "../parse.js";

/** Looks at the text before it is parsed; returns a message when the command is sent back. */
export type TextCheck = (text: string, collector: Collector) => { check: string; text: string } | undefined;

/** Looks at the whole tree of one text. */
export type TreeCheck = (root: SyntaxNode, collector: Collector) => void;
