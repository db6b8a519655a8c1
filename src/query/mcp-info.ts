// What a session keeps of its MCP servers, and how it tells of them.
import type { Mcp, ServerStatus } from "../mcp/manager.js";
import type { Message } from "../protocol/messages.js";
import type { AnyTool } from "../tools/tool.js";

/** What a session keeps of its servers. */
export interface SessionMcp {
  servers: Mcp;
  /** Entries and files that could not be used. */
  problems: string[];
  /** Makes the tools of what the servers offer now. */
  makeTools(): AnyTool[];
  /** Tools that the session has, by name, each with its specification as text. */
  adopted: ReadonlyMap<string, string>;
  /** The servers offer something else than when the tools were last looked at. */
  isStale: boolean;
  /** Whose instructions the model was told, by conversation. */
  told: WeakMap<readonly Message[], Set<string>>;
  /** Reminders that are due. */
  reminders: string[];
  /** The first request has been waited for. */
  hasWaited: boolean;
}

const stateWords: Readonly<Record<ServerStatus["state"], string>> = {
  connected: "connected",
  pending: "pending",
  failed: "failed",
  "needs-auth": "needs-auth",
  disabled: "disabled",
  rejected: "disabled",
  waiting: "pending",
  blocked: "disabled",
};

/** The servers as hosts see them. */
export const serverInfos = ({ mcp }: { mcp?: SessionMcp }) =>
  mcp?.servers.statuses().map(({ name, state, error }) => ({
    name,
    status: stateWords[state],
    ...(error === undefined ? {} : { error }),
  }));
