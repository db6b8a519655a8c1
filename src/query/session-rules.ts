// Every rule of a session as it was written: settings, flags, what was granted since the start.
import { parseRule } from "../permissions/rules.js";
import type { Behavior, Rule } from "../permissions/types.js";
import type { RuleSource } from "../protocol/permission.js";
import type { Session } from "./session.js";

/** A rule from its text; none when the text is no rule (bad ones are reported when the flags are read). */
export const ruleFrom = (text: string, behavior: Behavior, source: RuleSource, root: string): Rule[] => {
  const rule = parseRule(text, { behavior, source, root });
  return typeof rule === "string" ? [] : [rule];
};

/** All rules, also those that the mode sets aside. */
export const writtenRules = (session: Session): Rule[] => {
  const { flags, cwd } = session.options;
  return [
    ...session.settings.rules,
    ...(flags.allowedTools ?? []).flatMap((text) => ruleFrom(text, "allow", "cliArg", cwd)),
    ...(flags.disallowedTools ?? []).flatMap((text) => ruleFrom(text, "deny", "cliArg", cwd)),
    ...session.sessionRules,
  ];
};
