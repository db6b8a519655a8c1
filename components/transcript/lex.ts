// Markdown's blocks and inlines by marked, without the price of its rules that cannot match: each is a regular
// expression that takes milliseconds to compile (100 ms in all on a 2-core machine), and most answers are plain prose.
import { Marked, type TokenizerObject, type TokensList } from "marked";

/** What a text must begin with, or hold, before marked's own rule is tried. Wider than the rule, never narrower. */
const signs = {
  code: /^(?: {4}| {0,3}\t)/,
  fences: /^ {0,3}[`~]/,
  heading: /^ {0,3}#/,
  hr: /^ {0,3}[-*_]/,
  blockquote: /^ {0,3}>/,
  list: /^ {0,3}(?:[-*+]|\d{1,9}[.)])/,
  html: /^ {0,3}</,
  def: /^ {0,3}\[/,
  table: /\n {0,3}[-:|][-:| ]*(?:\n|$)/,
  lheading: /\n {0,3}(?:=+|-+) *(?:\n|$)/,
} as const;

type Rule = keyof typeof signs;

/** marked's convention: false asks its own rule, undefined says that there is no such token here. */
const guarded = Object.fromEntries(
  Object.entries(signs).map(([rule, sign]) => [rule, (src: string) => (sign.test(src) ? false : undefined)]),
) as Pick<TokenizerObject, Rule>;

// The rule for paragraphs stays marked's own: it treats long texts differently once that one is replaced.
const instance = new Marked({ tokenizer: guarded });

/** The tokens of a Markdown text, as marked's `lexer` gives them. */
export const lexMarkdown = (text: string): TokensList => instance.lexer(text);
