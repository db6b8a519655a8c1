// The person's own theme files: ~/.claude/themes/<slug>.json.
import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A theme is a few lines; anything larger is not one. */
const maxBytes = 100_000;
const quietMs = 100; // editors write a file in several steps

/** Every theme file with its text; none when there is no folder. */
export const listThemes = async (configDir: string): Promise<{ slug: string; text: string }[]> => {
  const folder = join(configDir, "themes");
  const names = await readdir(folder).catch(() => []); // most people have none
  const slugs = names.filter((name) => /^[\w-]+\.json$/.test(name)).sort();
  return Promise.all(
    slugs.map(async (name) => ({
      slug: name.slice(0, -5),
      text: (await readFile(join(folder, name), "utf8")).slice(0, maxBytes),
    })),
  );
};

/** Calls `onChange` when the folder changes, once things are quiet. Without a folder nothing is watched. */
export const watchThemes = (configDir: string, onChange: () => void): void => {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher;
  try {
    watcher = watch(join(configDir, "themes"), { persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(onChange, quietMs);
      timer.unref();
    });
  } catch {
    return; // no folder: themes made later are seen at the next start
  }
  watcher.on("error", () => watcher.close());
};
