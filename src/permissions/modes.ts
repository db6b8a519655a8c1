// The permission modes: their names and labels, and which mode is lower than which.
import type { PermissionMode } from "../protocol/permission.js";

export interface ModeLabel {
  title: string;
  /** Text of the status bar. */
  status: string;
}

export const modeLabels: Readonly<Record<PermissionMode, ModeLabel>> = {
  default: { title: "Manual", status: "⏸ manual mode on" },
  acceptEdits: { title: "Accept edits", status: "⏵⏵ accept edits on" },
  plan: { title: "Plan", status: "⏸ plan mode on" },
  bypassPermissions: { title: "Bypass", status: "⏵⏵ bypass permissions on" },
  dontAsk: { title: "Don't ask", status: "⏵⏵ don't ask on" },
  auto: { title: "Auto", status: "⏵⏵ auto mode on" },
};

/** The mode a setting or flag names; `manual` is the old word for default. Undefined when it is none. */
export const parseMode = (name: string): PermissionMode | undefined => {
  if (name === "manual") return "default";
  return Object.hasOwn(modeLabels, name) ? (name as PermissionMode) : undefined;
};

const fromLowest: readonly PermissionMode[] = [
  "plan",
  "dontAsk",
  "default",
  "acceptEdits",
  "auto",
  "bypassPermissions",
];

/** The lower of the parent's mode and the one an agent asks for: an agent never rises above its parent. */
export const lowerMode = (parent: PermissionMode, wanted: PermissionMode | undefined): PermissionMode => {
  if (!wanted) return parent;
  return fromLowest.indexOf(wanted) < fromLowest.indexOf(parent) ? wanted : parent;
};

/** Why the bypass mode is refused here, or undefined. As root it needs a sandbox (`IS_SANDBOX=1`). */
export const bypassRefusal = (
  uid: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const isRoot = uid === 0 || env.SUDO_UID !== undefined;
  if (!isRoot || env.IS_SANDBOX === "1") return undefined;
  return "The bypass mode is refused for root outside a sandbox. Run as another user, or set IS_SANDBOX=1 inside one.";
};
