// ~/.claude/keybindings.json: its text to bindings, with the place of everything that is wrong; and its template.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { nearest } from "../../src/lib/nearest.js";
import { bindings, type Override } from "./keymap.js";
import { fixedKeys, type Scope, scopeOf, scopes } from "./keymap-table.js";
import { keyText, parseKeystroke } from "./keystroke.js";

export interface ParsedKeybindings {
  overrides: Override[];
  /** Entries that are left out, each with its line. */
  problems: string[];
}

/** Actions that other programs of this kind know and this one does not have, with the reason. */
const absent: Readonly<Record<string, string>> = {
  voice: "there is no voice input here",
  plugin: "that screen has no keys of its own here",
  diff: "that screen has no keys of its own here",
  attachments: "images in the prompt are deleted like text here",
  messageSelector: "that screen uses the keys of Select",
  settings: "that screen uses the keys of Select",
  help: "that screen uses the keys of Select and Tabs",
  theme: "that screen has no keys to change",
  modelPicker: "that screen has no keys to change",
  selection: "the mouse selects here",
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

const columnOf = (text: string, offset: number): number => offset - text.lastIndexOf("\n", offset - 1);

const spaced = (code: string): string => code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Throws an Error that says where, when the file as a whole cannot be used. */
const rootOf = (text: string): Node => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first)
    throw new Error(
      `line ${lineOf(text, first.offset)}, column ${columnOf(text, first.offset)}: ${spaced(printParseErrorCode(first.error))}`,
    );
  const list = root && findNodeAtLocation(root, ["bindings"]);
  if (!root || list?.type !== "array") throw new Error('line 1: the file must be {"bindings": [ … ]}');
  return list;
};

const nameProblem = (name: string): string | null => {
  if (bindings.some((row) => row.name === name)) return null;
  const why = absent[name.split(":", 1)[0] as string];
  if (why !== undefined) return `${name} does nothing: ${why}`;
  const guess = nearest(
    name,
    bindings.map((row) => row.name),
  );
  return `there is no action ${name}${guess ? `; did you mean ${guess}?` : ""}`;
};

const readEntry = (property: Node, scope: Scope, line: number): Override | string => {
  const [keyNode, valueNode] = property.children ?? [];
  const written = String(keyNode?.value ?? "");
  const value: unknown = valueNode ? getNodeValue(valueNode) : undefined;
  const stroke = parseKeystroke(written);
  if ("problem" in stroke) return `line ${line}: ${written}: ${stroke.problem}`;
  if (value === null) return { scope, key: stroke.id, name: null, line };
  if (typeof value !== "string") return `line ${line}: ${written} needs the name of an action, or null`;
  const problem = nameProblem(value);
  return problem === null ? { scope, key: stroke.id, name: value, line } : `line ${line}: ${problem}`;
};

const readBlock = (text: string, block: Node, parsed: ParsedKeybindings): void => {
  const line = lineOf(text, block.offset);
  const context: unknown = block.type === "object" ? findNodeAtLocation(block, ["context"])?.value : undefined;
  const entries = block.type === "object" ? findNodeAtLocation(block, ["bindings"]) : undefined;
  const scope = scopes.find((one) => one === context);
  if (typeof context !== "string" || entries?.type !== "object")
    parsed.problems.push(`line ${line}: each entry must be {"context": "Chat", "bindings": { … }}`);
  else if (!scope) {
    const guess = nearest(context, scopes);
    parsed.problems.push(`line ${line}: there is no context ${context}${guess ? `; did you mean ${guess}?` : ""}`);
  } else
    for (const property of entries.children ?? []) {
      const entry = readEntry(property, scope, lineOf(text, property.offset));
      if (typeof entry === "string") parsed.problems.push(entry);
      else parsed.overrides.push(entry);
    }
};

/** Reads a keybindings file. Throws an Error with the place when it is no such file at all: the bindings before it stay. */
export const parseKeybindings = (text: string): ParsedKeybindings => {
  const parsed: ParsedKeybindings = { overrides: [], problems: [] };
  if (text.trim() === "") return parsed;
  for (const block of rootOf(text).children ?? []) readBlock(text, block, parsed);
  return parsed;
};

const writtenKey = (key: string): string =>
  key
    .split(/(?<=.) (?=.)/)
    .map(keyText)
    .join(" ");

/** A file that says what holds by default, to be changed. */
export const keybindingsTemplate = (): string => {
  const blocks = scopes.flatMap((scope) => {
    const entries = bindings
      .filter((row) => scopeOf(row.name) === scope)
      .flatMap((row) =>
        row.keys.filter((key) => !(key in fixedKeys)).map((key) => [writtenKey(key), row.name] as const),
      );
    return entries.length === 0 ? [] : [{ context: scope, bindings: Object.fromEntries(entries) }];
  });
  return `${JSON.stringify({ bindings: blocks }, null, 2)}\n`;
};
