// What a person does with MCP servers: look at them, connect anew, switch off and on, log in and out.
import type { CommandContext, McpAction } from "../commands/command.js";
import type { Emit } from "../execution/context.js";
import { sanitise } from "../lib/sanitise.js";
import type { ServerStatus } from "../mcp/manager.js";
import { changeProjectEntry, projectEntry, updateState } from "../settings/state-file.js";
import { trustFolder } from "../settings/trust.js";
import { rememberChoice } from "./mcp.js";
import type { Session } from "./session.js";

/** Everything /mcp shows. */
export const mcpPicker = ({ mcp, mcpProblems = [] }: Session): Awaited<ReturnType<CommandContext["mcpPicker"]>> => ({
  kind: "mcp",
  servers: (mcp?.servers.statuses() ?? []).map((status) => ({
    ...status,
    canLogin: status.type === "http" || status.type === "sse",
  })),
  problems: mcpProblems,
});

const stateText = ({ name, state, error, tools }: ServerStatus): string => {
  const server = sanitise(name);
  if (state === "connected") return `${server} is connected: ${tools.length} ${tools.length === 1 ? "tool" : "tools"}.`;
  return `${server} is not connected (${state})${error ? `: ${sanitise(error)}` : "."}`;
};

/** Keeps in the state file whether a server is switched off in this folder. */
const rememberOff = async ({ options, places }: Session, name: string, isOff: boolean): Promise<void> => {
  const folder = await trustFolder({ cwd: options.cwd, home: places.home });
  await updateState(places.state, (data) => {
    const { disabledMcpServers } = projectEntry(data, folder);
    const others = (Array.isArray(disabledMcpServers) ? disabledMcpServers : []).filter((one) => one !== name);
    changeProjectEntry(data, folder, { disabledMcpServers: isOff ? [...others, name] : others });
  });
};

const switchServer = async (session: Session, name: string, isOn: boolean): Promise<string> => {
  const { servers } = session.mcp!;
  const before = servers.statuses().find((one) => one.name === name);
  if (before?.state === "blocked") return `${sanitise(name)} cannot be switched on: your settings do not allow it.`;
  const status = await servers.setState(name, isOn ? "ready" : "disabled");
  if (isOn && (before?.state === "rejected" || before?.state === "waiting")) await rememberChoice(session, name, "use");
  await rememberOff(session, name, !isOn);
  return isOn ? stateText(status) : `${sanitise(name)} is switched off in this folder.`;
};

const actOnOne = async (
  session: Session,
  action: McpAction,
  name: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<string> => {
  const { servers } = session.mcp!;
  if (!servers.entry(name)) await servers.reconnect(name); // tells which names there are
  if (action === "reconnect") return stateText(await servers.reconnect(name));
  if (action === "enable" || action === "disable") return switchServer(session, name, action === "enable");
  const { loginToServer, logoutFromServer } = await import("./mcp-auth.js");
  return action === "login" ? loginToServer(session, name, emit, signal) : logoutFromServer(session, name);
};

/** Does one thing to a server ("all": to each) and says what came of it. Throws an Error for the person. */
export const mcpAct = async (
  session: Session,
  action: McpAction,
  name: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<string> => {
  if (!session.mcp) throw new Error("no MCP servers are configured.");
  const isAll = name === "all" && !session.mcp.servers.entry("all");
  const names = isAll ? session.mcp.servers.statuses().map((one) => one.name) : [name];
  const texts = await Promise.all(names.map((one) => actOnOne(session, action, one, emit, signal)));
  return texts.join("\n");
};
