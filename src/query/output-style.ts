// The output style of the main thread: taken when a conversation begins, so that the cached prompt stays the same within it.
import type { Emit } from "../execution/context.js";
import { nearest } from "../lib/nearest.js";
import { loadStyles, type OutputStyle, styleNamed } from "../prompt/styles.js";
import type { Picker } from "../protocol/pickers.js";
import type { Session } from "./session.js";
import { changeSetting } from "./settings-rows.js";

/** Every style that can be chosen. Reads folders: those of the project only when it is trusted, or nobody is there to ask. */
export const sessionStyles = ({ options, places, projectRoot, trusted }: Session): Promise<OutputStyle[]> =>
  loadStyles({
    cwd: options.cwd,
    root: projectRoot,
    configDir: places.configDir,
    withProject: trusted || !options.isInteractive,
  });

const wanted = ({ settings }: Session): string => settings.get("outputStyle") ?? "default";

/** Takes the style of the settings at the first prompt of a conversation. */
export const settleStyle = async (session: Session, emit: Emit): Promise<void> => {
  if (session.style !== undefined && session.hasBackground) return;
  const before = session.style?.name ?? "default";
  const name = wanted(session);
  const found = name === "default" ? undefined : styleNamed(await sessionStyles(session), name);
  if (found === undefined && name !== "default")
    await emit({
      type: "notice",
      level: "warning",
      text: `There is no output style "${name}" (setting outputStyle): answering in the default one. /output-style lists them.`,
    });
  session.style = found ?? { name: "default", description: "", source: "built-in", text: "", keepsCoding: true };
  if (session.style.name !== before) session.system = undefined;
};

/** What /output-style shows. */
export const stylesPicker = async (session: Session): Promise<Extract<Picker, { kind: "list" }>> => {
  const now = wanted(session).toLowerCase();
  return {
    kind: "list",
    title: "Output style",
    rows: (await sessionStyles(session)).map(({ name, description, source }) => ({
      label: name,
      detail: source === "built-in" ? description : `${description} · ${source}`,
      isCurrent: name.toLowerCase() === now,
      command: `/output-style ${name}`,
    })),
    empty: "There are no output styles.",
  };
};

/** Keeps a style beside the project. Gives a line for the person; throws an Error for them. */
export const chooseStyle = async (session: Session, name: string, emit: Emit): Promise<string> => {
  const styles = await sessionStyles(session);
  const style = styleNamed(styles, name);
  if (!style) {
    const names = styles.map((one) => one.name);
    const near = nearest(name, names);
    throw new Error(
      `There is no output style "${name}".${near ? ` Did you mean ${near}?` : ""} There are: ${names.join(", ")}.`,
    );
  }
  await changeSetting(session, "outputStyle", style.name, emit);
  const when = session.hasBackground ? " from the next conversation (/clear begins one)" : "";
  return `Output style: ${style.name}${when}`;
};
