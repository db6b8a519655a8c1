// /mcp: the MCP servers and how they stand; reconnect, enable, disable, login, logout.
import type { Picker } from "../protocol/pickers.js";
import { defineCommand, type McpAction } from "./command.js";

const actions: readonly McpAction[] = ["reconnect", "enable", "disable", "login", "logout"];
const usage = "Use /mcp, or /mcp reconnect|enable|disable|login|logout SERVER.";

const none = "No MCP servers are configured. Add one with: claude mcp add NAME COMMAND";

const listText = ({ servers, problems }: Extract<Picker, { kind: "mcp" }>): string =>
  [
    ...(servers.length === 0 ? [none] : []),
    ...servers.map(({ name, scope, state, error, tools }) => {
      const end = state === "connected" ? ` · ${tools.length} ${tools.length === 1 ? "tool" : "tools"}` : "";
      return `${name} · ${scope} · ${state}${error ? `: ${error}` : ""}${end}`;
    }),
    ...problems.map((problem) => `! ${problem}`),
  ].join("\n");

export const mcp = defineCommand({
  name: "mcp",
  description: "Show the MCP servers; reconnect, enable, disable, log in",
  argumentHint: "[reconnect|enable|disable|login|logout] [server]",
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const [word = "", ...rest] = args.trim().split(/\s+/).filter(Boolean);
    const name = rest.join(" ");
    if (word === "") {
      const picker = await context.mcpPicker();
      const isList = context.isInteractive && picker.servers.length > 0;
      return isList ? { kind: "picker", picker } : { kind: "text", text: listText(picker) };
    }
    const action = actions.find((one) => one === word);
    const mayBeAll = action === "enable" || action === "disable";
    if (!action || (name === "" && !mayBeAll)) return { kind: "text", text: usage, isError: true };
    return { kind: "text", text: await context.mcpAct(action, name || "all") };
  },
});
