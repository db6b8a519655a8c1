// The person's own key bindings: ~/.claude/keybindings.json.
import { type FSWatcher, watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeybindingsPort } from "../../components/mount-options.js";

const name = "keybindings.json";
const quietMs = 100; // editors write a file in several steps
/** Bindings are a few lines; of anything larger only the beginning is read, and told to be broken. */
const maxChars = 200_000;

/** The file in this folder. Watching starts once the folder is there. */
export const keybindingsFile = (configDir: string): KeybindingsPort => {
  const path = join(configDir, name);
  let onChange: (() => void) | undefined;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    if (watcher || !onChange) return;
    const changed = onChange;
    try {
      watcher = watch(configDir, { persistent: false }, (_, file) => {
        if (file !== name) return;
        clearTimeout(timer);
        timer = setTimeout(changed, quietMs);
        timer.unref();
      });
      watcher.on("error", () => watcher?.close());
    } catch {
      // No folder yet: `create` makes it and tries again.
    }
  };
  return {
    path,
    read: async () => {
      try {
        return (await readFile(path, "utf8")).replace(/^\uFEFF/, "").slice(0, maxChars);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    create: async (text) => {
      await mkdir(configDir, { recursive: true, mode: 0o700 });
      await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      start();
    },
    watch: (listener) => {
      onChange = listener;
      start();
    },
  };
};
