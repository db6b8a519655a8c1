// Deletes old sessions a while after the start of an interactive session; tells before it ever does.
import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import type { EngineEvent } from "../protocol/events.js";
import type { Sweep } from "../sessions/retention.js";
import type { LoadedSettings } from "../settings/load.js";
import { publish, type Session, tmpDirOf } from "./session.js";

const delayMs = 5_000; // long after the first frame, and nobody waits for it
const defaultDays = 30;

const isOwn = (source: string): boolean => source !== "project" && source !== "local";

/**
 * Days that unused sessions are kept; undefined: nothing is deleted, because the settings cannot be trusted to say it.
 * A folder's settings can only make it longer: they must not delete other folders' sessions.
 */
export const keptDays = ({ layers, problems }: Pick<LoadedSettings, "layers" | "problems">): number | undefined => {
  if (problems.some(({ fatal, path }) => fatal || path?.startsWith("cleanupPeriodDays"))) return undefined;
  const days = (isWanted: (source: string) => boolean): number[] =>
    layers.filter(({ source }) => isWanted(source)).flatMap(({ settings }) => settings.cleanupPeriodDays ?? []);
  const own = days(isOwn)[0] ?? defaultDays;
  return Math.max(own, ...days((source) => !isOwn(source)));
};

const counted = ({ sessions, files }: { sessions: number; files: number }): string =>
  [
    sessions === 0 ? "" : `${sessions} ${sessions === 1 ? "session" : "sessions"}`,
    files === 0
      ? ""
      : `${files} ${files === 1 ? "other file (plan, paste, log)" : "other files (plans, pastes, logs)"}`,
  ]
    .filter(Boolean)
    .join(" and ");

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** What a sweep says to the person, one line each. */
export const sweepLines = ({ announced, deleted }: Sweep, days: number): string[] => [
  ...(deleted.sessions + deleted.files === 0
    ? []
    : [`Deleted as announced: ${counted(deleted)}, not used for ${days} days.`]),
  ...(announced === undefined
    ? []
    : [
        `${counted(announced)} will be deleted once unused for ${days} days, by a start after ${timeText(announced.from)}. To keep one, resume it; to keep all longer, set cleanupPeriodDays.`,
      ]),
];

/** One sweep. Tells through the session's listeners. */
export const keepHouse = async (session: Session): Promise<void> => {
  const { places, options, settings } = session;
  const days = keptDays(settings);
  if (days === undefined || places.configDir === homedir()) return;
  const { sweep } = await import("../sessions/retention.js");
  const result = await sweep({
    configDir: places.configDir,
    tmpRoot: dirname(dirname(tmpDirOf(session))),
    days,
    now: options.clock.now(),
    keep: new Set([session.id, basename(session.planPath)]),
  });
  for (const text of sweepLines(result, days)) {
    const notice: EngineEvent = { type: "notice", level: "info", text, key: "retention" };
    publish(session, notice);
  }
};

/** Sweeps once, later. Headless runs tell nobody, so they delete nothing. */
export const keepHouseSoon = (session: Session): void => {
  if (!session.options.isInteractive) return;
  setTimeout(() => {
    if (session.closing.signal.aborted) return;
    keepHouse(session).catch((error: unknown) => console.error("retention:", error)); // for the debug log
  }, delayMs).unref();
};
