// The sections of the system prompt in their order: stable ones first, so that they share one cached prefix.
import { actions } from "./actions.js";
import { brevity } from "./brevity.js";
import { doingTasks } from "./doing-tasks.js";
import { environment } from "./environment.js";
import { identity } from "./identity.js";
import { outputStyle } from "./output-style.js";
import type { Section } from "./section.js";
import { systemFacts } from "./system-facts.js";
import { tone } from "./tone.js";
import { usingTools } from "./using-tools.js";

export const sections: readonly Section[] = [
  identity,
  systemFacts,
  doingTasks,
  actions,
  usingTools,
  tone,
  brevity,
  environment,
  outputStyle,
];
