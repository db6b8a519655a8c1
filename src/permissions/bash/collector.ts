// What one analysis gathers, shared by every text it looks into.
import type { Finding, Redirection, ShellContext, ShellPart } from "./analysis.js";
import type { SyntaxNode } from "./parse.js";
import type { Feed, Scope } from "./scope.js";
import type { Walk } from "./walk.js";
import type { Word } from "./words.js";

/** What hangs on a command from outside: words and input of redirections that stand behind it. */
export interface Tail {
  words: Word[];
  stdin?: Feed;
  /** Its output goes to a file, so nothing flows on. */
  isSilent: boolean;
}

export interface Collector extends Walk {
  context: ShellContext;
  parts: ShellPart[];
  redirections: Redirection[];
  findings: Finding[];
  isOpaque: boolean;
  /** How many texts lie around this one: `sh -c` inside `sh -c` is 2. */
  depth: number;
  /** Walks one statement, with redirections that stand behind it; returns what it prints. */
  visit(node: SyntaxNode, scope: Scope, pending?: readonly SyntaxNode[]): Feed;
  /** Collects from text that becomes code. */
  visitText(text: string, scope: Scope): void;
}

export const maxParts = 200;
export const maxTextDepth = 8;
export const maxLength = 10_000;

/** Notes that not everything can be seen. */
export const markOpaque = (collector: Collector, check: string, text: string): void => {
  collector.isOpaque = true;
  collector.note(check, text);
};

/** Adds a part unless there are too many already. */
export const addPart = (collector: Collector, part: ShellPart): void => {
  // Deny rules are looked up on every part, however many there are: the limit only makes it ask.
  if (collector.parts.length === maxParts) collector.note("T5", `more than ${maxParts} commands`);
  collector.parts.push(part);
};
