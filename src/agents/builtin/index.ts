// The agents every session has, in the order they are listed.
import type { AgentDefinition } from "../definition.js";
import { explore } from "./explore.js";
import { generalPurpose } from "./general-purpose.js";
import { plan } from "./plan.js";

export const builtinAgents: readonly AgentDefinition[] = [generalPurpose, explore, plan];
