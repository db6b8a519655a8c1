// Code as coloured spans. The grammars are loaded when code is first shown, in the background: until they are there
// code is plain, and `onReady` says when to draw it again.
import type { Token } from "../theme/tokens.js";

export interface CodeSpan {
  text: string;
  token?: Token;
}

/** Lines of code as spans; null while grammars load, for unknown languages and for code that is too long. */
export type Highlight = (lines: readonly string[], language: string) => CodeSpan[][] | null;

interface HighlightNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: HighlightNode[];
}

/** What the grammars' library offers, as far as it is used. */
export interface Grammars {
  registered(language: string): boolean;
  highlight(language: string, code: string): HighlightNode;
}

/** More than this takes longer than a frame: such code stays plain. */
const maxCharacters = 40_000;

/** Classes of the grammars by what they mean here. */
const tokenOf: Record<string, Token> = {
  keyword: "syntaxKeyword",
  "selector-tag": "syntaxKeyword",
  name: "syntaxKeyword",
  tag: "syntaxKeyword",
  operator: "syntaxKeyword",
  string: "syntaxString",
  regexp: "syntaxString",
  "template-tag": "syntaxString",
  char: "syntaxString",
  number: "syntaxNumber",
  literal: "syntaxNumber",
  symbol: "syntaxNumber",
  bullet: "syntaxNumber",
  comment: "syntaxComment",
  quote: "syntaxComment",
  doctag: "syntaxComment",
  title: "syntaxName",
  section: "syntaxName",
  function: "syntaxName",
  attr: "syntaxName",
  attribute: "syntaxName",
  property: "syntaxName",
  type: "syntaxType",
  built_in: "syntaxType",
  class: "syntaxType",
  "selector-class": "syntaxType",
  "selector-id": "syntaxType",
  meta: "syntaxMeta",
  addition: "success",
  deletion: "error",
};

const tokenOfNode = ({ properties }: HighlightNode): Token | undefined => {
  const { className } = properties ?? {};
  const first = Array.isArray(className) ? String(className[0]) : "";
  return tokenOf[first.replace(/^hljs-/, "")];
};

/** Splits the tree into lines; a span never holds a line end. */
const linesOf = (root: HighlightNode): CodeSpan[][] => {
  const lines: CodeSpan[][] = [[]];
  const walk = (node: HighlightNode, outer: Token | undefined): void => {
    const token = tokenOfNode(node) ?? outer;
    if (node.type === "text")
      for (const [index, text] of (node.value ?? "").split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (text !== "") lines.at(-1)?.push(token === undefined ? { text } : { text, token });
      }
    for (const child of node.children ?? []) walk(child, token);
  };
  walk(root, undefined);
  return lines;
};

/** Loads the grammars of the usual languages. */
export const loadGrammars = async (): Promise<Grammars> => {
  const { common, createLowlight } = await import("lowlight");
  return createLowlight(common) as Grammars;
};

/**
 * Makes a highlighter. `load` is called at the first use; `onReady` when it has come. A failed load leaves code plain
 * and is told to `onError` once.
 */
export const createHighlighter = (options: {
  load: () => Promise<Grammars>;
  onReady: () => void;
  onError?: (error: unknown) => void;
}): { highlight: Highlight; readonly isReady: boolean } => {
  let grammars: Grammars | null = null;
  let isAsked = false;
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    options.load().then(
      (loaded) => {
        grammars = loaded;
        options.onReady();
      },
      (error: unknown) => options.onError?.(error),
    );
  };
  return {
    get isReady() {
      return grammars !== null;
    },
    highlight: (lines, language) => {
      if (language === "" || lines.length === 0) return null;
      if (grammars === null) {
        ask();
        return null;
      }
      if (!grammars.registered(language)) return null;
      const code = lines.join("\n");
      if (code.length > maxCharacters) return null;
      const drawn = linesOf(grammars.highlight(language, code));
      return drawn.length === lines.length ? drawn : null;
    },
  };
};
