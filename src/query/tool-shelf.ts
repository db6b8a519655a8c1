// What a thread offers its model: tools in full, which never change once the first request is out, and deferred ones, of which
// only the name is told until they are loaded.
import type { Provider, ToolSpec } from "../providers/provider.js";
import type { AnyTool } from "../tools/tool.js";
import type { LoopOptions } from "./loop-options.js";
import { toolSpec } from "./tool-spec.js";

/** Loading the first brings the others: one is of no use without them. */
const companions: Readonly<Record<string, readonly string[]>> = {
  EnterPlanMode: ["ExitPlanMode"],
  EnterWorktree: ["ExitWorktree"],
};

export interface ToolShelf {
  /** The list of every request: always the same object. Loaded tools are appended, marked `defer_loading`. */
  readonly specs: ToolSpec[];
  /** Takes the thread's tools. Until `settle` it may be called again; then only deferred tools still join. */
  offer(tools: readonly AnyTool[], isDeferred: (tool: AnyTool) => boolean): void;
  /** The first request goes out: what is in full now stays as it is. */
  settle(): void;
  isSettled(): boolean;
  /** Adds deferred tools, or newer versions of them. Those that were loaded before are loaded at once. */
  add(tools: readonly AnyTool[]): void;
  /** Adds tools in full behind the others: one more generation of the list, which costs the cached prefix. */
  append(tools: readonly AnyTool[]): void;
  /** Takes deferred tools out of the listing. A loaded one keeps its definition: the conversation refers to it. */
  remove(names: readonly string[]): void;
  /** Deferred tools, loaded ones included. */
  deferred(): AnyTool[];
  loaded(): string[];
  unloaded(): string[];
  /** Loads deferred tools; gives the names that are loaded now, companions included. Names that come later are kept in mind. */
  load(names: readonly string[]): string[];
  /** The conversation is another one: nothing is loaded any more. `keepsSpecs`: the list stays as it is (for its cache). */
  forget(keepsSpecs: boolean): void;
  /** Names for the first reminder; they count as told. */
  tellAll(): string[];
  /** What has come and gone since it was told; then it counts as told. */
  tellNews(): { come: string[]; gone: string[] };
  /** Lines of a resumed conversation: names among them were told already. */
  recall(lines: Iterable<string>): void;
  hasTold(name: string): boolean;
  /** Set when the endpoint has refused tool references. */
  hasRefusedReferences: boolean;
}

/** An empty shelf. */
export const createShelf = (): ToolShelf => {
  const specs: ToolSpec[] = [];
  const deferred = new Map<string, AnyTool>();
  /** In the order in which they were loaded; also names that are not there (any more, or yet). */
  const wanted = new Set<string>();
  let told = new Set<string>();
  /** What a resumed conversation says; holds other lines too. */
  let recalled = new Set<string>();
  let isSettled = false;

  const isLoaded = (name: string): boolean => specs.some((spec) => spec.name === name && spec.defer_loading);
  const place = (tool: AnyTool): void => {
    const spec: ToolSpec = { ...toolSpec(tool), defer_loading: true };
    const at = specs.findIndex(({ name }) => name === tool.name);
    if (at < 0) specs.push(spec);
    else if (JSON.stringify(specs[at]) !== JSON.stringify(spec)) specs[at] = spec;
  };
  const shelf: ToolShelf = {
    specs,
    hasRefusedReferences: false,
    offer: (tools, isDeferred) => {
      if (isSettled) return;
      deferred.clear();
      const full = tools.filter((tool) => {
        if (isDeferred(tool)) deferred.set(tool.name, tool);
        return !deferred.has(tool.name);
      });
      specs.splice(0, specs.length, ...full.map(toolSpec));
      shelf.load([...wanted]);
    },
    settle: () => {
      isSettled = true;
    },
    isSettled: () => isSettled,
    add: (tools) => {
      for (const tool of tools) {
        if (specs.some(({ name, defer_loading }) => name === tool.name && !defer_loading)) continue; // it is there in full
        deferred.set(tool.name, tool);
        if (wanted.has(tool.name) && !isLoaded(tool.name)) place(tool);
      }
    },
    append: (tools) => {
      const taken = new Set(specs.map(({ name }) => name));
      specs.push(...tools.filter(({ name }) => !taken.has(name)).map(toolSpec));
    },
    remove: (names) => {
      for (const name of names) {
        deferred.delete(name);
        recalled.delete(name);
      }
    },
    deferred: () => [...deferred.values()],
    loaded: () => [...wanted].filter((name) => deferred.has(name)),
    unloaded: () => [...deferred.keys()].filter((name) => !wanted.has(name)),
    load: (names) => {
      const all = new Set(names.flatMap((name) => [name, ...(companions[name] ?? [])]));
      return [...all].filter((name) => {
        wanted.add(name);
        const tool = deferred.get(name);
        if (tool) place(tool);
        return tool !== undefined;
      });
    },
    forget: (keepsSpecs) => {
      told = new Set();
      recalled = new Set();
      if (keepsSpecs) return;
      wanted.clear();
      const kept = specs.filter(({ defer_loading }) => !defer_loading);
      specs.splice(0, specs.length, ...kept);
    },
    tellAll: () => {
      const names = shelf.unloaded();
      told = new Set(deferred.keys());
      return names;
    },
    tellNews: () => {
      const come = shelf.unloaded().filter((name) => !shelf.hasTold(name));
      const gone = [...told].filter((name) => !deferred.has(name));
      told = new Set(deferred.keys());
      return { come, gone };
    },
    recall: (names) => {
      recalled = new Set(names);
    },
    hasTold: (name) => told.has(name) || recalled.has(name),
  };
  return shelf;
};

/** Whether requests with this shelf may carry tool references: the provider takes them, and none was refused. */
export const referencesOf = (
  shelf: ToolShelf,
  { takesToolReferences }: Pick<Provider, "takesToolReferences">,
): NonNullable<LoopOptions["references"]> => ({
  get isTaken() {
    return takesToolReferences === true && !shelf.hasRefusedReferences;
  },
  set isTaken(isTaken) {
    shelf.hasRefusedReferences = !isTaken;
  },
});
