// What the evaluation of words needs from the walk over a text.
import type { ShellContext } from "./analysis.js";
import type { SyntaxNode } from "./parse.js";
import type { Feed, Scope } from "./scope.js";

/** What evaluation needs from the walk it is part of. */
export interface Walk {
  source: string;
  context: ShellContext;
  /** Notes what a check found about the whole text. */
  note(check: string, text: string): void;
  /** Collects the commands of a substitution; returns what it prints. */
  substitute(node: SyntaxNode, scope: Scope): Feed;
}

export const sliceOf = ({ source }: Walk, node: SyntaxNode): string => source.slice(node.start, node.end);
