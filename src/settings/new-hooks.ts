// Hooks that a folder's files gained while a session runs: they wait until a person has said yes to them (F117).
import type { LoadedSettings } from "./load.js";

export interface FolderHook {
  /** Event, and the group as it stands in the file: two equal ones are the same hook. */
  key: string;
  /** One line for the question. */
  line: string;
}

type Groups = Record<string, unknown[]>;

const keyOf = (event: string, group: unknown): string => `${event} ${JSON.stringify(group)}`;

const lineOf = (event: string, group: unknown, file: string): string => {
  const handlers = (group as { hooks?: Record<string, unknown>[] } | null)?.hooks ?? [];
  const what = handlers.map(({ command, url, prompt, type }) => String(command ?? url ?? prompt ?? type).slice(0, 200));
  return `${event}: ${what.join(" · ")} (${file})`;
};

/** The hooks that the project's and the local file bring. */
export const folderHooks = ({ layers }: Pick<LoadedSettings, "layers">): FolderHook[] =>
  layers
    .filter(({ source }) => source === "project" || source === "local")
    .flatMap(({ settings, file }) =>
      Object.entries((settings.hooks ?? {}) as Groups).flatMap(([event, groups]) =>
        groups.map((group) => ({ key: keyOf(event, group), line: lineOf(event, group, file) })),
      ),
    );

/** Takes every folder hook whose key is not in `known` out of the merged settings. Returns what was taken out. */
export const withholdNewHooks = (loaded: LoadedSettings, known: ReadonlySet<string>): FolderHook[] => {
  const fresh = folderHooks(loaded).filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return [];
  const keys = new Set(fresh.map(({ key }) => key));
  const merged = (loaded.settings.hooks ?? {}) as Groups;
  const kept = Object.entries(merged).map(([event, groups]): [string, unknown[]] => [
    event,
    groups.filter((group) => !keys.has(keyOf(event, group))),
  ]);
  loaded.settings.hooks = Object.fromEntries(
    kept.filter(([, groups]) => groups.length > 0),
  ) as typeof loaded.settings.hooks;
  return fresh;
};
