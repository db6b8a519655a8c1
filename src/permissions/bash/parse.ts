// Loads tree-sitter with its Bash grammar, late and once, and gives plain syntax trees.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { TreeCursor } from "web-tree-sitter";

/** A node of the tree as plain data. Offsets count UTF-16 units of the source. */
export interface SyntaxNode {
  type: string;
  isNamed: boolean;
  start: number;
  end: number;
  /** Name of the parent's field it fills. */
  field: string | undefined;
  isError: boolean;
  isMissing: boolean;
  children: SyntaxNode[];
}

export type ShellParser = (source: string) => SyntaxNode;

const maxDepth = 400; // the tree of a text within the size limit stays below; deeper is cut and counts as an error

/** The wasm files lie beside the bundle, or in node_modules while developing. */
const wasmFile = (name: string, packagePath: string): string => {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, "assets"), join(here, "..", "assets")]) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
  }
  return createRequire(import.meta.url).resolve(packagePath);
};

const plain = (cursor: TreeCursor, depth: number): SyntaxNode => {
  const node: SyntaxNode = {
    type: cursor.nodeType,
    isNamed: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    field: cursor.currentFieldName ?? undefined,
    isError: cursor.nodeType === "ERROR",
    isMissing: cursor.nodeIsMissing,
    children: [],
  };
  if (!cursor.gotoFirstChild()) return node;
  if (depth >= maxDepth) node.isError = true;
  else
    do node.children.push(plain(cursor, depth + 1));
    while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return node;
};

/** V8 flags: WebAssembly stays with its baseline compiler. The first alone implies the others only at V8's start. */
const baselineOnly = ["--liftoff-only", "--no-wasm-dynamic-tiering", "--no-wasm-tier-up"];

let loading: Promise<ShellParser> | undefined;

const load = async (): Promise<ShellParser> => {
  // The optimising compiler takes seconds of a core for the grammar, and the process could not end before it is done:
  // after one `echo` a headless run lingered for 4 s. The baseline code parses a command in well under a millisecond.
  for (const flag of baselineOnly) setFlagsFromString(flag);
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ locateFile: () => wasmFile("web-tree-sitter.wasm", "web-tree-sitter/web-tree-sitter.wasm") });
  const language = await Language.load(wasmFile("tree-sitter-bash.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"));
  const parser = new Parser();
  parser.setLanguage(language);
  return (source) => {
    const tree = parser.parse(source);
    if (!tree) throw new Error("the parser gave no tree");
    const cursor = tree.walk();
    try {
      return plain(cursor, 0);
    } finally {
      cursor.delete();
      tree.delete();
    }
  };
};

/** The parser, loaded on first use and kept. Rejects when its files are missing. */
export const loadParser = (): Promise<ShellParser> => {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
};
