// Keeps the keymap as the person's file says: at the start and whenever the file changes.
import type { Actions } from "../../state/actions.js";
import type { KeybindingsPort } from "../mount-options.js";
import { createKeymap, keymapStore } from "./keymap.js";

/** Problems told one by one; more are counted. */
const maxTold = 4;

const tell = (actions: Actions, path: string, problems: readonly string[]): void => {
  for (const problem of problems.slice(0, maxTold)) actions.notice("warning", `${path}: ${problem}`);
  if (problems.length > maxTold)
    actions.notice("warning", `${path}: ${problems.length - maxTold} more entries have no effect`);
};

const readInto = async (port: KeybindingsPort, actions: Actions, isFirst: boolean): Promise<void> => {
  const text = await port.read();
  if (text === null && isFirst) return;
  const { parseKeybindings } = await import("./keybindings.js");
  const { overrides, problems } = parseKeybindings(text ?? "");
  const { keymap, problems: conflicts } = createKeymap(overrides);
  keymapStore.setState(keymap, true);
  tell(actions, port.path, [...problems, ...conflicts]);
  if (!isFirst && problems.length + conflicts.length === 0) actions.notice("info", "Key bindings read again");
};

/** A file that cannot be read or is none changes nothing: the last good bindings stay, and a notice says where it broke. */
export const followKeybindings = (port: KeybindingsPort, actions: Actions): void => {
  const read = (isFirst: boolean): void =>
    void readInto(port, actions, isFirst).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      actions.notice("error", `${port.path}: ${why}. The key bindings before it stay in force.`);
    });
  read(true);
  port.watch(() => read(false));
};

/** Opens the file in the person's editor, after writing one with the bindings that hold where there is none. */
export const editKeybindings = async (
  port: KeybindingsPort | undefined,
  actions: Actions,
  openFile: ((path: string) => Promise<string | null>) | undefined,
): Promise<void> => {
  if (!port) return;
  try {
    if ((await port.read()) === null) await port.create((await import("./keybindings.js")).keybindingsTemplate());
    const failure = openFile ? await openFile(port.path) : null;
    if (failure !== null) actions.notice("error", failure);
    else actions.notice("info", `${port.path}: what is saved there is in force at once`);
  } catch (error) {
    actions.notice("error", `${port.path}: ${error instanceof Error ? error.message : String(error)}`);
  }
};
