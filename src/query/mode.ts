// Changes of the permission mode.
import type { Emit } from "../execution/context.js";
import type { PermissionMode } from "../protocol/permission.js";
import { enterAuto } from "./auto-mode.js";
import type { Session } from "./session.js";

/** Changes the mode; remembers where plan mode came from. Emits and records the change. */
export const changeMode = async (session: Session, mode: PermissionMode, emit: Emit): Promise<void> => {
  if (mode === session.mode) return;
  if (mode === "plan") session.modeBeforePlan = session.mode;
  session.mode = mode;
  session.transcript?.appendMode(mode);
  await emit({ type: "mode", mode });
  if (mode === "auto") await enterAuto(session, emit);
};
