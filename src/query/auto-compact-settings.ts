// What flags, settings and environment say about compaction without being asked.
import type { AutoCompactSettings } from "../context/autocompact.js";
import type { LoadedSettings } from "../settings/load.js";
import type { EngineOptions } from "./engine-options.js";

/** A session's part in context/autocompact.ts. */
export const autoCompactSettings = ({
  settings,
  options,
}: {
  settings: LoadedSettings;
  options: EngineOptions;
}): AutoCompactSettings => ({
  enabled: settings.get("autoCompactEnabled"),
  window: options.flags.autoCompactWindow ?? settings.get("autoCompactWindow"),
  env: options.env,
});
