// AgentPage: what one agent did so far, as it goes on: figures, calls and texts. x stops it, esc goes back to its pane.
import { useAnimation } from "ink";
import { useRef } from "react";
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker } from "../../src/protocol/pickers.js";
import type { AgentLine, AgentState } from "../../state/app-state.js";
import { useAppState, useServices } from "../app-context.js";
import { agentAction, pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { pageRows } from "../pickers/Page.js";
import { usePickerSize, walkList } from "../pickers/picker-frame.js";
import { durationText, tokenText } from "../status/format.js";
import { useTheme } from "../theme/use-theme.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";

type PageData = Extract<Picker, { kind: "page" }>;

const tickMs = 1_000;

const stateNotes: Record<AgentLine["state"], string> = {
  queued: "queued",
  waiting: "waits for you",
  running: "runs",
  done: "",
  error: "failed",
};

const lineValue = ({ kind, text, note, state }: AgentLine): string => {
  const end = kind === "text" ? "" : note || stateNotes[state];
  return sanitise(end === "" ? text : `${text}   ${end}`);
};

const isCall = ({ kind }: AgentLine): boolean => kind === "call";

/** What an agent did so far, as a page to read. */
export const agentPage = (agent: AgentState, now: number): PageData => {
  const { toolUses, turns, lines, doing, status } = agent;
  const earlier = toolUses - lines.filter(isCall).length;
  return {
    kind: "page",
    agentId: agent.id,
    title: `${agent.name} · ${agent.description}`,
    rows: [
      { label: "Type", value: agent.type },
      { label: "State", value: doing === undefined ? status : `${status}: ${sanitise(doing)}` },
      { label: "Time", value: durationText((agent.endedAt ?? now) - agent.startedAt) },
      { label: "Tokens", value: tokenText(agent.tokens) },
      { label: "Turns", value: `${turns}, with ${toolUses} call${toolUses === 1 ? "" : "s"}` },
      ...(agent.worktree === undefined ? [] : [{ label: "Worktree", value: agent.worktree }]),
      ...(earlier > 0 ? [{ label: "Earlier", value: `${earlier} more, in its transcript` }] : []),
      ...lines.map((line) => ({ label: isCall(line) ? "Call" : "Says", value: lineValue(line) })),
      ...(agent.summary === undefined ? [] : [{ label: "Report", value: agent.summary }]),
    ],
  };
};

/** The agent's page as it is now; as it was last once the agent is gone. */
const useAgentPage = (first: PageData): { page: PageData; agent: AgentState | undefined } => {
  const { now } = useServices();
  const agent = useAppState(({ agents }) => agents.find(({ id }) => id === first.agentId));
  const last = useRef(first);
  useAnimation({ interval: tickMs, isActive: agent !== undefined });
  if (agent) last.current = agentPage(agent, now());
  if (agent) return { page: last.current, agent };
  const rows = last.current.rows.map((row) => (row.label === "State" ? { ...row, value: "ended" } : row));
  return { page: { ...last.current, rows }, agent };
};

export const AgentPage = ({ first }: { first: PageData }) => {
  const theme = useTheme();
  const { actions, prompt } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const { page, agent } = useAgentPage(first);
  const local = useLocal(() => ({ offset: 0 }));
  const rows = pageRows(page, inner, (text) => theme.style("dim", text));
  const height = bodyRows(0);
  const end = lastOffset(rows.length, height);
  const isWorking = agent !== undefined && agent.status !== "failed";
  useKeys({
    context: "picker",
    onKey: (press) => {
      const action = pickerAction(press.id);
      const offset = walkList(press, Math.min(local.get().offset, end), end + 1, height);
      if (action === "cancel" || action === "accept") actions.setPicker(null);
      else if (agentAction(press.id) === "stopAgent") {
        if (agent && isWorking) actions.stopAgent(agent.id);
      } else if (offset !== null) local.set({ offset });
      else if (press.text !== "") prompt.typeAhead(press); // a page takes no text: it is for the draft
      return true;
    },
    onPaste: (text) => {
      prompt.paste(text);
      return true;
    },
  });
  const hints = [...(end > 0 ? ["↑ ↓ scroll"] : []), ...(isWorking ? ["x stops"] : []), "esc goes back"];
  return (
    <Panel title={sanitise(page.title)} footer={hints.join(" · ")} width={width} border="promptBorder">
      <Rows rows={rows} height={height} offset={Math.min(local.value.offset, end)} />
    </Panel>
  );
};
