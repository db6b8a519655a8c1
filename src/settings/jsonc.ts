// Reads JSON with comments, trailing commas and a byte-order mark, and tells where each value stands.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

export interface Position {
  line: number;
  column: number;
}

export interface ParsedFile {
  value: Record<string, unknown>;
  /** Where the value at a path stands (1-based); undefined when there is none. */
  positionOf(path: readonly (string | number)[]): Position | undefined;
  /** Keys written twice; lists were joined, of anything else the last counts. */
  duplicates: { path: string[]; position: Position }[];
}

export interface SyntaxFailure {
  message: string;
  position: Position;
}

const positionAt = (text: string, offset: number): Position => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
};

/** Text of a settings file's bytes; undefined when they are UTF-16. */
export const decodeText = (bytes: Buffer): string | undefined => {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined;
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
};

/** Plain value of a node. Keys named like inner properties stay plain keys; lists under a doubled key are joined. */
const plainValue = (node: Node, path: string[], doubled: (path: string[], offset: number) => void): unknown => {
  if (node.type === "array")
    return (node.children ?? []).map((child, i) => plainValue(child, [...path, String(i)], doubled));
  if (node.type !== "object") return getNodeValue(node);
  const members = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [keyNode, child] = property.children ?? [];
    if (!keyNode || !child) continue;
    const key = String(keyNode.value);
    const value = plainValue(child, [...path, key], doubled);
    const earlier = members.get(key);
    if (members.has(key)) doubled([...path, key], keyNode.offset);
    members.set(key, Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value);
  }
  return Object.fromEntries(members);
};

const failureOf = (text: string, errors: ParseError[]): SyntaxFailure | undefined => {
  const [error] = errors;
  if (!error) return undefined;
  const name = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return { message: `not valid JSON: ${name}`, position: positionAt(text, error.offset) };
};

/** Parses an object. Returns the failure instead when the text is not one. */
export const parseObject = (text: string): ParsedFile | SyntaxFailure => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const failure = failureOf(text, errors);
  if (failure) return failure;
  if (root?.type !== "object") return { message: "must be one JSON object", position: { line: 1, column: 1 } };
  const duplicates: ParsedFile["duplicates"] = [];
  const value = plainValue(root, [], (path, offset) => duplicates.push({ path, position: positionAt(text, offset) }));
  return {
    value: value as Record<string, unknown>,
    duplicates,
    positionOf: (path) => {
      const node = findNodeAtLocation(root, [...path]);
      return node && positionAt(text, node.offset);
    },
  };
};

export const isFailure = (parsed: ParsedFile | SyntaxFailure): parsed is SyntaxFailure => "message" in parsed;
