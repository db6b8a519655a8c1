// Asks a model for hooks of the kinds prompt and agent: a side call, or a small agent that may look around.

import { modelHookSystem } from "../hooks/model.js";
import type { AskHookModel } from "../hooks/run.js";
import type { LoopOptions } from "./loop-options.js";
import { resolved } from "./models.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";
import { failureOf, modelForSideJobs, sideOptions } from "./side-calls.js";

const agentTurns = 50; // spec/hooks section 8
const lookingTools: ReadonlySet<string> = new Set(["Read", "Glob", "Grep"]);

/** The thread's execution with only the tools that look, nobody to ask, and no hooks of its own. */
const onlyLooking = ({ execution }: LoopOptions): LoopOptions["execution"] => ({
  ...execution,
  findTool: (name) => {
    const tool = execution.findTool(name);
    return tool && lookingTools.has(tool.name) ? tool : undefined;
  },
  toolNames: execution.toolNames.filter((name) => lookingTools.has(name)),
  askPermission: undefined,
  hooks: undefined,
  onDenied: () => undefined,
});

/** The function behind both kinds, for the hooks of one thread. Throws an Error with the reason. */
export const askHookModel =
  (session: Session, loop: () => LoopOptions): AskHookModel =>
  async ({ kind, text, model: wanted, signal }) => {
    const parent = loop();
    const named = wanted === undefined ? undefined : resolved(session, wanted);
    const model = named?.known ? named : modelForSideJobs(session);
    const isAgent = kind === "agent";
    const tools = isAgent ? parent.tools.filter(({ name }) => lookingTools.has(name)) : [];
    const outcome = await runAgent({
      parent: { ...sideOptions(parent, model), tools },
      messages: [{ role: "user", content: text }],
      purpose: "hook",
      maxTurns: isAgent ? agentTurns : 1,
      signal,
      system: [{ type: "text", text: modelHookSystem }],
      ...(isAgent ? { execution: onlyLooking(parent) } : {}),
    });
    const failure = failureOf(outcome);
    if (failure) throw failure;
    return outcome.text;
  };
