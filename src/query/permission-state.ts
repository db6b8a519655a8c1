// Rules in force now: settings, flags and what was granted in this session; and how a PermissionUpdate changes them.
import type { Emit } from "../execution/context.js";
import { isBroadRule } from "../permissions/broad-rules.js";
import type { Rule } from "../permissions/types.js";
import type { PermissionUpdate } from "../protocol/permission.js";
import { writePermissionUpdate } from "../settings/write.js";
import { changeMode } from "./mode.js";
import type { Session } from "./session.js";
import { ruleFrom, writtenRules } from "./session-rules.js";

/** All rules in force, whatever their source; the decision sorts out which kind wins. Auto mode sets the widest ones aside. */
export const allRules = (session: Session): Rule[] => {
  const rules = writtenRules(session);
  if (session.mode !== "auto") return rules;
  const isShellJudged = session.settings.get("autoMode")?.classifyAllShell === true;
  return rules.filter(
    (rule) => !isBroadRule(rule) && !(isShellJudged && rule.behavior === "allow" && rule.tool === "Bash"),
  );
};

const textOfRule = ({ toolName, ruleContent }: { toolName: string; ruleContent?: string }): string =>
  ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;

const applyToSession = (session: Session, update: PermissionUpdate): void => {
  if (update.type === "addDirectories")
    session.sessionDirs = [...new Set([...session.sessionDirs, ...update.directories])];
  else if (update.type === "removeDirectories")
    session.sessionDirs = session.sessionDirs.filter((dir) => !update.directories.includes(dir));
  else if ("rules" in update) {
    const texts = update.rules.map(textOfRule);
    const rules = texts.flatMap((text) => ruleFrom(text, update.behavior, "session", session.options.cwd));
    const others = session.sessionRules.filter(
      ({ text, behavior }) => behavior !== update.behavior || (update.type !== "replaceRules" && !texts.includes(text)),
    );
    session.sessionRules = update.type === "removeRules" ? others : [...others, ...rules];
  }
};

/** Applies updates: to this session, or to the settings file they name (and at once here). Throws when a file cannot be written. */
export const applyUpdates = async (session: Session, updates: PermissionUpdate[], emit: Emit): Promise<void> => {
  for (const update of updates) {
    if (update.type === "setMode") await changeMode(session, update.mode, emit);
    else if (update.destination === "session" || update.destination === "cliArg") applyToSession(session, update);
    else {
      await writePermissionUpdate(update, {
        cwd: session.options.cwd,
        home: session.places.home,
        configDir: session.places.configDir,
        env: session.options.env,
      });
      await session.reloadSettings();
    }
  }
};
