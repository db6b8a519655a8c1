// Tells when a settings file changed, by watching its folder: no polling, no timer while nothing happens.
import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

const quietMs = 100; // editors write a file in several steps

export interface SettingsWatch {
  close(): void;
}

/** Nearest folder above a file that exists, and the name in it that leads to the file. */
const watchPoint = (file: string): { folder: string; name: string } => {
  let name = basename(file);
  let folder = dirname(file);
  while (!existsSync(folder) && folder !== dirname(folder)) {
    name = basename(folder);
    folder = dirname(folder);
  }
  return { folder, name };
};

/**
 * Calls `onChange` with the files that may have changed, once things are quiet. Files and folders need not exist yet.
 * A folder that cannot be watched is left out: settings are then read at the next start.
 */
export const watchSettings = (files: readonly string[], onChange: (changed: string[]) => void): SettingsWatch => {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const flush = (): void => {
    timer = undefined;
    const list = [...changed];
    changed.clear();
    watchAll(); // folders may have appeared or gone
    onChange(list);
  };
  const note = (folder: string, name: string | null): void => {
    for (const file of files) {
      const point = watchPoint(file);
      const isIn = dirname(file) === folder || point.folder === folder || dirname(dirname(file)) === folder;
      if (isIn && (name === null || file.startsWith(`${folder}/${name}`))) changed.add(file);
    }
    if (changed.size === 0 || timer || isClosed) return;
    timer = setTimeout(flush, quietMs);
    timer.unref();
  };
  const watchAll = (): void => {
    const folders = new Set(files.map((file) => watchPoint(file).folder));
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (isClosed || watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => note(folder, name));
        watcher.on("error", () => {
          watcher.close();
          watchers.delete(folder);
        });
        watchers.set(folder, watcher);
      } catch {
        // no permission or no watches left: the file is read at the next start
      }
    }
  };
  watchAll();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
};
