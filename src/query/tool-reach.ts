// What tools reach beyond the machine and the conversation, given to them as functions: small model, search, hosts.
import { matchesDomain } from "../permissions/match.js";
import type { ToolContext } from "../tools/tool.js";
import type { LoopOptions } from "./loop-options.js";
import { allRules } from "./permission-state.js";
import type { Session } from "./session.js";
import { askSmallModel } from "./side-calls.js";
import { searchWeb } from "./web-search.js";

const offline = "offline"; // it answers patterns, not questions about a text

/** True where an allow rule for WebFetch names this host; one for all hosts does not count. */
export const ruleNamesHost = (session: Session, hostname: string): boolean =>
  allRules(session).some(
    ({ behavior, tool, content }) =>
      behavior === "allow" &&
      tool === "WebFetch" &&
      content !== undefined &&
      /[^*.\s]/.test(content.replace(/^domain:/, "")) &&
      matchesDomain(content, `https://${hostname}/`),
  );

type Reach = Pick<ToolContext, "askSmallModel" | "searchWeb" | "allowsHost" | "takesDocuments">;

/** The part of a tool's context that reaches out. `parent` gives the options of the thread that calls. */
export const toolReach = (session: Session, parent: () => LoopOptions, signal: AbortSignal): Reach => ({
  askSmallModel:
    session.provider.id === offline ? undefined : (prompt) => askSmallModel(session, parent(), prompt, signal),
  searchWeb: (search) => searchWeb(session, parent, search, signal),
  allowsHost: (hostname) => ruleNamesHost(session, hostname),
  takesDocuments: session.provider.takesDocuments === true,
});
