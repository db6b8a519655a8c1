// McpPicker: the MCP servers by where they are written; Enter opens one: its tools, and what can be done with it.
import { sanitise } from "../../src/lib/sanitise.js";
import { wrapText } from "../../src/lib/text-width.js";
import type { McpServerRow, Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { ListBox } from "../ui/ListBox.js";
import { Panel } from "../ui/Panel.js";
import { Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type McpData = Extract<Picker, { kind: "mcp" }>;
type Action = "reconnect" | "enable" | "disable" | "login" | "logout";

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ");

const stateWords: Readonly<Record<McpServerRow["state"], string>> = {
  connected: "✔ connected",
  pending: "… connecting",
  "needs-auth": "! needs authentication",
  failed: "✘ failed",
  disabled: "○ disabled",
  rejected: "○ rejected",
  waiting: "⏸ pending approval",
  blocked: "✘ not allowed",
};

const scopeWords: Readonly<Record<McpServerRow["scope"], string>> = {
  managed: "managed",
  flag: "this session",
  local: "local",
  project: "project",
  user: "user",
  settings: "settings",
};

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

/** How a server stands: `✔ connected · 3 tools`. */
export const serverState = ({ state, tools }: McpServerRow): string =>
  state === "connected" ? `${stateWords[state]} · ${count(tools.length, "tool")}` : stateWords[state];

/** What can be done with a server, in the order it is offered. */
export const serverActions = ({ state, canLogin }: McpServerRow): { id: Action; label: string }[] => {
  if (state === "blocked") return [];
  if (state === "disabled" || state === "rejected" || state === "waiting") return [{ id: "enable", label: "Enable" }];
  const login = { id: "login" as const, label: state === "needs-auth" ? "Log in" : "Log in again" };
  const logout = { id: "logout" as const, label: "Forget the login" };
  const reconnect = { id: "reconnect" as const, label: "Reconnect" };
  const disable = { id: "disable" as const, label: "Disable in this folder" };
  if (!canLogin) return [reconnect, disable];
  return state === "needs-auth" ? [login, reconnect, disable] : [reconnect, login, logout, disable];
};

const detailLines = (server: McpServerRow): string[] => {
  const { scope, file, target, version, tools, prompts, resources, error } = server;
  const offers = [count(tools.length, "tool"), count(prompts, "prompt"), count(resources, "resource")];
  return [
    serverState(server),
    ...(error ? [error] : []),
    `Written in: ${file} (${scopeWords[scope]})`,
    ...(target ? [`Runs: ${target}`] : []),
    ...(version ? [`Version: ${version}`] : []),
    ...(server.state === "connected" ? [`Offers: ${offers.join(", ")}`] : []),
    ...(tools.length > 0 ? [`Tools: ${tools.join(", ")}`] : []),
  ].map(oneLine);
};

const Detail = ({ server, onBack }: { server: McpServerRow; onBack: () => void }) => {
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ focus: 0 }));
  const offered = serverActions(server);
  const lines = detailLines(server).flatMap((line) => wrapText(line, inner));
  const listRows = Math.max(1, offered.length);
  const textRows = Math.max(1, bodyRows(listRows + 1));
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, offered.length, listRows);
      const chosen = action === "accept" ? offered[focus] : offered[Number(press.text) - 1];
      if (action === "cancel" || press.id === "left") onBack();
      else if (chosen) {
        actions.setPicker(null);
        actions.mcp(chosen.id, server.name);
      } else if (next !== null) local.set({ focus: next });
      return true;
    },
    onPaste: () => true,
  });
  return (
    <Panel
      title={`MCP server ${oneLine(server.name)}`}
      footer="enter does it · esc goes back"
      width={width}
      border="promptBorder"
    >
      <Rows rows={lines} height={Math.min(lines.length, textRows)} />
      <Rows rows={[""]} height={1} />
      <ListBox
        rows={offered.map(({ id, label }) => ({ id, label }))}
        focus={local.value.focus}
        width={inner}
        height={listRows}
        empty="Your settings do not allow this server."
      />
    </Panel>
  );
};

/** The servers with those of one place together, in the order in which places win. */
const grouped = (servers: readonly McpServerRow[]): McpServerRow[] =>
  [...new Set(servers.map(({ scope }) => scope))].flatMap((scope) => servers.filter((one) => one.scope === scope));

const List = ({ data, onOpen }: { data: McpData; onOpen: (server: McpServerRow) => void }) => {
  const { actions } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ focus: 0 }));
  const servers = grouped(data.servers);
  const problems = data.problems.map((problem) => `! ${oneLine(problem)}`);
  const problemRows = Math.min(problems.length, 3);
  const height = bodyRows(problemRows);
  useKeys({
    context: "picker",
    onKey: (press) => {
      const { focus } = local.get();
      const action = pickerAction(press.id);
      const next = walkList(press, focus, servers.length, height);
      const server = servers[focus];
      if (action === "cancel") actions.setPicker(null);
      else if (action === "accept" && server) onOpen(server);
      else if (next !== null) local.set({ focus: next });
      return true;
    },
    onPaste: () => true,
  });
  const rows = servers.map((server) => ({
    id: server.name,
    label: `${oneLine(server.name)} · ${scopeWords[server.scope]}`,
    detail: serverState(server),
  }));
  return (
    <Panel
      title="MCP servers"
      note={count(servers.length, "server")}
      footer="enter opens one · esc closes"
      width={width}
      border="promptBorder"
    >
      <ListBox rows={rows} focus={local.value.focus} width={inner} height={height} empty="No MCP servers." />
      {problemRows > 0 && <Rows rows={problems} height={problemRows} />}
    </Panel>
  );
};

export const McpPicker = ({ data }: { data: McpData }) => {
  const local = useLocal(() => ({ open: null as string | null }));
  const open = data.servers.find(({ name }) => name === local.value.open);
  return open ? (
    <Detail server={open} onBack={() => local.set({ open: null })} />
  ) : (
    <List data={data} onOpen={({ name }) => local.set({ open: name })} />
  );
};
