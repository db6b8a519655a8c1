// The keymap in force: the table with the person's own bindings on top. There is one keyboard, so there is one keymap;
// what shows keys subscribes to `keymapStore`.
import { createStore } from "zustand/vanilla";
import {
  type ActionOf,
  fixedKeys,
  type KeyContext,
  keymapTable,
  type Row,
  type Scope,
  scopeOf,
} from "./keymap-table.js";
import { isTyped, keyText } from "./keystroke.js";

export type { KeyContext } from "./keymap-table.js";

export interface Binding extends Row {
  context: KeyContext;
}

const contexts = Object.keys(keymapTable) as KeyContext[];

/** The table as one list, with the default keys. */
export const bindings: readonly Binding[] = contexts.flatMap((context) =>
  (keymapTable[context] as readonly Row[]).map((row) => ({ context, ...row })),
);

/** One line of a keybindings file: a key of a context and what it does; null: nothing. */
export interface Override {
  scope: Scope;
  key: string;
  name: string | null;
  /** Where it stands in the file, from 1. */
  line: number;
}

export interface Keymap {
  /** Key to row, by context. */
  tables: Readonly<Record<KeyContext, ReadonlyMap<string, Binding>>>;
}

type Tables = Record<KeyContext, Map<string, Binding>>;

const defaultTables = (): Tables =>
  Object.fromEntries(
    contexts.map((context) => [
      context,
      new Map(bindings.filter((row) => row.context === context).flatMap((row) => row.keys.map((key) => [key, row]))),
    ]),
  ) as Tables;

/** Contexts with a text field: a plain character bound there could not be typed any more. */
const withText: readonly Scope[] = [
  "Chat",
  "Global",
  "Scroll",
  "Task",
  "Autocomplete",
  "HistorySearch",
  "Confirmation",
  "Select",
  "Tabs",
];

/** Actions of these may be bound in Chat too: they work while the prompt is shown. */
const underChat: readonly Scope[] = ["Global", "Scroll", "Task"];

const unbind = (tables: Tables, { scope, key }: Override): boolean => {
  let isFound = false;
  for (const context of contexts) {
    const row = tables[context].get(key);
    if (!row || scopeOf(row.name) !== scope) continue;
    tables[context].delete(key);
    isFound = true;
  }
  return isFound;
};

const bind = (tables: Tables, { scope, key, name }: Override): string | null => {
  const rows = bindings.filter((row) => row.name === name);
  const home = scopeOf(name as string);
  if (rows.length === 0) return `there is no action ${name}`;
  if (home !== scope && !(scope === "Chat" && home && underChat.includes(home)))
    return `${name} belongs to the context ${home}, not ${scope}`;
  if (rows.every((row) => tables[row.context].get(key) === row)) return null;
  if (withText.includes(scope) && isTyped(key))
    return `${keyText(key)} must stay free for typing in ${scope}: add ctrl or alt`;
  if (scope === "Chat") for (const context of ["prompt", "task"] as const) tables[context].delete(key);
  for (const row of rows) {
    const other = tables[row.context].get(key);
    // An action of two contexts takes no key that means something else in one of them.
    if (rows.length === 1 || !other || scopeOf(other.name) === scope) tables[row.context].set(key, row);
  }
  const shadow = rows.some((row) => row.context === "global") ? tables.prompt.get(key) : undefined;
  return shadow ? `in the prompt ${keyText(key)} still means ${shadow.name}: bind it in Chat, or to null there` : null;
};

/** What a person cannot do without, and what says that it is gone. */
const needed: readonly (readonly [string, string])[] = [
  ["chat:submit", "no key sends the prompt any more"],
  ["confirm:no", "no key closes a dialog any more"],
  ["select:cancel", "no key closes a list any more"],
  ["transcript:exit", "only ctrl+c leaves the transcript now"],
];

/** The table with a file's bindings on top, and what is to be said about them, each with its line. */
export const createKeymap = (overrides: readonly Override[]): { keymap: Keymap; problems: string[] } => {
  const tables = defaultTables();
  const problems: string[] = [];
  const seen = new Map<string, Override>();
  for (const override of overrides) {
    const { scope, key, name, line } = override;
    const fixed = fixedKeys[key];
    const before = seen.get(`${scope} ${key}`);
    seen.set(`${scope} ${key}`, override);
    if (fixed !== undefined) problems.push(`line ${line}: ${key} cannot be bound: ${fixed}`);
    else {
      if (before && before.name !== name)
        problems.push(
          `line ${line}: ${keyText(key)} is bound in ${scope} on line ${before.line} already; this one counts`,
        );
      const problem =
        name === null
          ? unbind(tables, override)
            ? null
            : `${scope} has no key ${keyText(key)}`
          : bind(tables, override);
      if (problem !== null) problems.push(`line ${line}: ${problem}`);
    }
  }
  problems.push(...chordConflicts(tables));
  const names = new Set(contexts.flatMap((context) => [...tables[context].values()].map(({ name }) => name)));
  for (const [name, text] of needed) if (!names.has(name)) problems.push(`${text} (${name})`);
  return { keymap: { tables }, problems };
};

/** Keys that can never act because a longer chord begins with them. */
const chordConflicts = (tables: Tables): string[] =>
  contexts.flatMap((context) =>
    [...tables[context].keys()]
      .filter((key) => startsChord(tables[context], key))
      .map((key) => `${keyText(key)} in ${scopeOf(tables[context].get(key)!.name)} never acts: a chord begins with it`),
  );

const startsChord = (table: ReadonlyMap<string, Binding>, key: string): boolean =>
  key !== " " && [...table.keys()].some((other) => other.length > key.length && other.startsWith(`${key} `));

/** The keymap in force. */
export const keymapStore = createStore<Keymap>()(() => createKeymap([]).keymap);

/** Contexts that are asked while one of them has the keys. */
const asked = (context: KeyContext): readonly KeyContext[] =>
  context === "prompt" ? ["task", "menu", "prompt"] : [context];

const actionIn = <C extends KeyContext>(context: C, key: string): ActionOf<C> | undefined =>
  keymapStore.getState().tables[context].get(key)?.action as ActionOf<C> | undefined;

/** Whether more keys may follow this one in a context. */
export const isChordStart = (context: KeyContext, key: string): boolean =>
  asked(context).some((one) => startsChord(keymapStore.getState().tables[one], key));

/** Whether a chord does something in a context. */
export const isBound = (context: KeyContext, key: string): boolean =>
  asked(context).some((one) => keymapStore.getState().tables[one].has(key));

export type GlobalAction = ActionOf<"global">;
export type PromptAction = ActionOf<"prompt"> | ActionOf<"menu">;
export type ViewerAction = ActionOf<"overlay">;

/** What a key does in a context; undefined when it has no meaning there. */
export const globalAction = (key: string) => actionIn("global", key);
export const taskAction = (key: string) => actionIn("task", key);
export const promptAction = (key: string): PromptAction | undefined => actionIn("prompt", key);
export const menuAction = (key: string): PromptAction | undefined => actionIn("menu", key);
export const searchAction = (key: string) => actionIn("search", key);
export const agentAction = (key: string) => actionIn("panes", key);
export const dialogAction = (key: string) => actionIn("dialog", key);
export const pickerAction = (key: string) => actionIn("picker", key);
export const viewerAction = (key: string) => actionIn("overlay", key);

const keysOf = ({ context, action, keys }: Binding): string[] => {
  const now = [...keymapStore.getState().tables[context]].flatMap(([key, row]) => (row.action === action ? [key] : []));
  // Default keys first, in their order, then the person's own.
  return [...keys.filter((key) => now.includes(key)), ...now.filter((key) => !keys.includes(key))];
};

/** The key to name for an action (as keybindings files name it): the person's own before a default; "" when it has none. */
export const keyFor = (name: string): string => {
  const row = bindings.find((one) => one.name === name);
  const keys = row ? keysOf(row) : [];
  return keyText(keys.find((key) => !row?.keys.includes(key)) ?? keys[0] ?? "");
};

const described = (list: readonly Binding[]): { keys: string; description: string }[] =>
  list.flatMap((row) => {
    const key = keyFor(row.name);
    return row.description && key !== "" ? [{ keys: key, description: row.description }] : [];
  });

/** Rows of the key list: those that have a description and a key. */
export const describedKeys = (): { keys: string; description: string }[] =>
  described(bindings.filter(({ context }) => context !== "overlay"));

/** The keys of the transcript viewer. */
export const viewerKeys = (): { keys: string; description: string }[] =>
  described(bindings.filter(({ context }) => context === "overlay"));
