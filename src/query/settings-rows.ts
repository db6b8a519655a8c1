// What /config shows of the settings, and how it changes one: in the file where a change has an effect.
import { sep } from "node:path";
import type { Emit } from "../execution/context.js";
import type { SettingRow } from "../protocol/pickers.js";
import type { Provenance } from "../settings/load.js";
import { valueAt } from "../settings/merge.js";
import type { Setting } from "../settings/schema/entry.js";
import { changeable, settingNamed, shapeOf, valueFromText } from "../settings/shape.js";
import { writeSetting } from "../settings/write.js";
import { setModel, wantedModel } from "./models.js";
import type { Session } from "./session.js";

/** Read when a session starts: a change of the others is in force at once. */
const readAtStart: ReadonlySet<string> = new Set(["permissions.defaultMode", "env", "agent", "tui"]);

/** Kept beside the project, for the person alone: what fits one project seldom fits all. */
const keptLocally: ReadonlySet<string> = new Set(["outputStyle", "spinnerTipsEnabled"]);

const shownValue = (value: unknown): string => {
  if (value === undefined) return "not set";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const shortFile = (session: Session, file: string): string =>
  file.startsWith(session.places.home + sep) ? `~${file.slice(session.places.home.length)}` : file;

const placeText = (session: Session, { source, file, line }: Provenance): string =>
  source === "flagSettings" && file === "--settings"
    ? "--settings"
    : `${source} ${shortFile(session, file)}${line === undefined ? "" : `:${line}`}`;

/** Who decides a key: the strongest layer that sets it. */
const deciderOf = ({ settings }: Session, key: string): Provenance | undefined => settings.provenance(key)[0];

/** Why a value cannot be changed here; undefined when it can. */
const lockOf = (session: Session, key: string, kind: SettingRow["kind"]): string | undefined => {
  const decider = deciderOf(session, key);
  if (decider?.source === "managed") return `the owner of this machine decides it: ${placeText(session, decider)}`;
  if (decider?.source === "flagSettings") return `this start was given it: ${placeText(session, decider)}`;
  if (kind === "file") return "it holds more than one value: change it in the settings file";
  return undefined;
};

const rowOf = (session: Session, key: string, setting: Setting): SettingRow => {
  const { kind, values } = shapeOf(setting);
  const decider = deciderOf(session, key);
  const locked = lockOf(session, key, kind);
  return {
    key,
    doc: setting.doc,
    kind,
    value: shownValue(valueAt(session.settings.settings, key) ?? setting.default),
    values: values.map(shownValue),
    from: decider ? placeText(session, decider) : "default",
    ...(locked === undefined ? {} : { locked }),
  };
};

/** Every setting a person may change, those of one value first. */
export const settingRows = (session: Session): SettingRow[] => {
  const rows = changeable().map(([key, setting]) => rowOf(session, key, setting));
  return [...rows.filter(({ kind }) => kind !== "file"), ...rows.filter(({ kind }) => kind === "file")];
};

/** Where a change has an effect: beside the project when the project sets the key, else with the person's own settings. */
const destinationOf = (session: Session, key: string, scope: Setting["scope"]): "userSettings" | "localSettings" => {
  if (scope === "um") return "userSettings";
  const source = deciderOf(session, key)?.source;
  const isOfFolder = source === "local" || source === "project";
  return isOfFolder || (keptLocally.has(key) && source === undefined) ? "localSettings" : "userSettings";
};

/** Sets one setting to what a person wrote and puts it in force; the caller announces it. Gives a line for them; throws an Error for them. */
export const changeSetting = async (session: Session, name: string, text: string, emit: Emit): Promise<string> => {
  const { key, setting } = settingNamed(name);
  const locked = lockOf(session, key, shapeOf(setting).kind);
  if (locked !== undefined) throw new Error(`${key} cannot be changed here: ${locked}.`);
  if (setting.scope === "m") throw new Error(`${key} is for managed settings only.`);
  const value = valueFromText(key, setting, text === "not set" ? "" : text);
  const { home, configDir } = session.places;
  const places = { cwd: session.options.cwd, home, configDir, env: session.options.env };
  const file = await writeSetting(destinationOf(session, key, setting.scope), key, value, places);
  await session.reloadSettings();
  if (key === "model") await followModel(session, emit);
  if (key === "language") session.system = undefined; // it tells it
  const inForce = shownValue(valueAt(session.settings.settings, key) ?? setting.default);
  const later = readAtStart.has(key) ? ", from the next start" : "";
  return `${key} is now ${inForce}${later} (${shortFile(session, file)})`;
};

/** The model of the settings is used at once, unless a flag or the environment names another. */
const followModel = async (session: Session, emit: Emit): Promise<void> => {
  if (wantedModel(session) === (session.settings.get("model") ?? "default"))
    await setModel(session, session.settings.get("model") ?? null, false, emit);
};
