// Frontmatter: the YAML block at the head of a Markdown file, read in three passes so that sloppy files still load.
import { parseDocument } from "yaml";

export interface Frontmatter {
  /** False: the file has no block (or one that never ends); everything is body then. */
  hasBlock: boolean;
  data: Record<string, unknown>;
  body: string;
  /** The pass that understood the block: 1 as YAML, 2 with values quoted, 3 by scanning lines. */
  pass: 1 | 2 | 3;
  /** What the author should know, with a line number; absent for clean files. */
  warning?: { line: number; text: string };
}

export interface FrontmatterOptions {
  /** Keys that hold lists of names: pass 3 reads `- x` and `[a, b]` there, pass 2 cuts a trailing comment. */
  listKeys?: ReadonlySet<string>;
  /** Further keys that hold plain names: pass 2 cuts a trailing comment. */
  nameKeys?: ReadonlySet<string>;
}

const defaultLists = new Set(["tools", "disallowedTools", "allowed-tools", "skills", "mcpServers", "paths"]);
const defaultNames = new Set(["name", "model", "color", "permissionMode", "memory", "effort", "isolation", "maxTurns"]);

const normalised = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

/** Text between the fences and behind them; undefined when there is no block, "open" when it never ends. */
const split = (text: string): { head: string; body: string } | "open" | undefined => {
  const first = /^---[ \t]*(?:\n|$)/.exec(text);
  if (!first) return undefined;
  const rest = text.slice(first[0].length);
  const end = /^---/m.exec(rest);
  if (!end) return "open";
  const after = rest.slice(end.index + 3);
  return { head: rest.slice(0, end.index), body: after.replace(/^[ \t]*\n/, "") };
};

const asYaml = (head: string): Record<string, unknown> | undefined => {
  try {
    const document = parseDocument(head, { version: "1.2", uniqueKeys: false, logLevel: "silent" });
    if (document.errors.length > 0) return undefined;
    const data: unknown = document.toJS();
    if (data === null || data === undefined) return {};
    return typeof data === "object" && !Array.isArray(data) ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // aliases to nowhere, alias bombs: not usable as YAML
  }
};

const needsQuotes = /[:#[\]{}&*!|>%@,`]/;
const blockSign = /^[|>][+-]?\d?[+-]?$/;

/** Pass 2: values that look like YAML but are prose are put into quotes. */
const quoted = (head: string, lists: ReadonlySet<string>, names: ReadonlySet<string>): string =>
  head
    .split("\n")
    .map((line) => {
      const [, key = "", written = ""] = /^([^\s#:'"][^:]*?)\s*:[ \t]+(\S.*)$/.exec(line) ?? [];
      const value = (lists.has(key) || names.has(key) ? written.replace(/\s#.*$/, "") : written).trim();
      const isList = lists.has(key) && /^\[.*\]$/.test(value); // stays a list
      if (key === "" || isList || /^["']/.test(value) || blockSign.test(value) || !needsQuotes.test(value))
        return key !== "" && value !== written.trim() ? `${key}: ${value}` : line;
      return `${key}: "${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;
    })
    .join("\n");

interface ScannedKey {
  key: string;
  first: string;
  rest: string[];
}

/** Keys of pass 3. Lines inside a tag that stands alone on its line (`<example>`) never open one. */
const scanKeys = (head: string): ScannedKey[] => {
  const lines = head.split("\n");
  const keys: ScannedKey[] = [];
  let closing: string | undefined;
  for (const [index, line] of lines.entries()) {
    const opened = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/.exec(line);
    if (closing === undefined && opened) {
      keys.push({ key: opened[1] ?? "", first: (opened[2] ?? "").trim(), rest: [] });
      continue;
    }
    keys.at(-1)?.rest.push(line);
    if (closing !== undefined && line.trim() === closing) closing = undefined;
    const tag = /^\s*<([A-Za-z][\w-]*)>\s*$/.exec(line)?.[1];
    if (closing === undefined && tag && lines.slice(index + 1).some((later) => later.trim() === `</${tag}>`))
      closing = `</${tag}>`;
  }
  return keys;
};

const unquoted = (text: string): string => {
  const whole = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1];
  if (whole !== undefined) return whole.replace(/\\(["\\])/g, "$1");
  return /^'((?:[^']|'')*)'$/.exec(text)?.[1]?.replaceAll("''", "'") ?? text;
};

/** Indented lines continue a line as YAML folds them; lines at column 0 stay lines. */
const scannedText = ({ first, rest }: ScannedKey): string => {
  if (blockSign.test(first)) {
    const isFolded = first.startsWith(">");
    return rest
      .map((line) => line.trim())
      .join(isFolded ? " " : "\n")
      .trim();
  }
  let text = first;
  for (const line of rest) {
    if (line.trim() === "") text += "\n";
    else text += `${text === "" || text.endsWith("\n") ? "" : /^\s/.test(line) ? " " : "\n"}${line.trim()}`;
  }
  return unquoted(text.trim());
};

const scannedList = ({ first, rest }: ScannedKey): string | string[] => {
  const lines = [first, ...rest].map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > 0 && lines.every((line) => /^-\s+/.test(line)))
    return lines.map((line) => unquoted(line.replace(/^-\s+/, "").trim()));
  const text = lines.join(" ");
  const inBrackets = /^\[(.*)\]$/.exec(text)?.[1];
  return inBrackets === undefined ? unquoted(text) : splitNames(inBrackets).map(unquoted);
};

const scan = (head: string, listKeys: ReadonlySet<string>): Record<string, unknown> => {
  const data: Record<string, unknown> = {};
  for (const entry of scanKeys(head))
    data[entry.key] = listKeys.has(entry.key) ? scannedList(entry) : scannedText(entry);
  return data;
};

/** Splits names at commas and blanks that stand outside parentheses. */
export const splitNames = (text: string): string[] => {
  const names: string[] = [];
  let name = "";
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")") depth = Math.max(0, depth - 1);
    if (depth === 0 && /[,\s]/.test(char)) {
      if (name !== "") names.push(name);
      name = "";
    } else name += char;
  }
  return name === "" ? names : [...names, name];
};

/** Reads a file's frontmatter and body. Never throws: what cannot be understood is a file without frontmatter and a warning. */
export const parseFrontmatter = (source: string, options: FrontmatterOptions = {}): Frontmatter => {
  const { listKeys = defaultLists, nameKeys = defaultNames } = options;
  const text = normalised(source);
  const parts = split(text);
  if (parts === undefined) return { hasBlock: false, data: {}, body: text, pass: 1 };
  if (parts === "open")
    return {
      hasBlock: false,
      data: {},
      body: text,
      pass: 1,
      warning: { line: 1, text: "the block that begins with --- never ends" },
    };
  const { head, body } = parts;
  const strict = asYaml(head);
  if (strict) return { hasBlock: true, data: strict, body, pass: 1 };
  const warning = (fix: string) => ({ line: 2, text: `the block is not valid YAML; it was read ${fix}` });
  const repaired = asYaml(quoted(head, listKeys, nameKeys));
  if (repaired) return { hasBlock: true, data: repaired, body, pass: 2, warning: warning("with its values quoted") };
  const data = scan(head, listKeys);
  if (Object.keys(data).length === 0)
    return { hasBlock: false, data: {}, body, pass: 3, warning: { line: 2, text: "the block holds no keys" } };
  return { hasBlock: true, data, body, pass: 3, warning: warning("line by line") };
};

/** A text value; undefined for numbers, booleans, lists, maps and nothing. */
export const textValue = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** Only true and "true" are true. */
export const booleanValue = (value: unknown): boolean => value === true || value === "true";

/** Names of a tool list as they were written; undefined means: all tools (`*`, nothing, an empty list, a map). */
export const toolNames = (value: unknown): string[] | undefined => {
  const names = Array.isArray(value)
    ? value.filter((name): name is string => typeof name === "string").map((name) => name.trim())
    : typeof value === "string"
      ? splitNames(value)
      : [];
  const written = names.filter((name) => name !== "");
  return written.length === 0 || written.includes("*") ? undefined : written;
};
