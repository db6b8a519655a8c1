// Agents at work as terminal rows: boxes side by side where there is room, else a line each, as a tree where agents started
// agents. Pure; never more rows than asked for.
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, padToWidth, textWidth, wrapText } from "../../src/lib/text-width.js";
import type { AgentLine, AgentState } from "../../state/app-state.js";
import { durationText, tokenText } from "../status/format.js";
import type { Theme } from "../theme/themes.js";
import { agentToken, type Token } from "../theme/tokens.js";
import { stateGlyph } from "../transcript/tool-rows.js";
import { agentTree, endedLast, type TreeAgent } from "./agent-tree.js";

export interface PaneOptions {
  width: number;
  /** Most rows, all panes together. */
  height: number;
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Id of the agent that keys act on. */
  focused?: string | undefined;
  /** Id of the agent whose question is shown: its row is the first, the others follow without their tree. */
  asking?: string | undefined;
}

const narrowest = 36; // cells of a box below which its lines say nothing
const bodyRows = 3;
const boxRows = bodyRows + 2;
const mostInARow = 3;
const textRows = 8; // of a long text only about this many rows are laid out

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

const tokenOf = ({ color }: AgentState): Token => agentToken(color) ?? "promptBorder";

const isOver = ({ status }: AgentState): boolean => status === "failed";

const elapsed = (agent: AgentState, now: number): string => durationText((agent.endedAt ?? now) - agent.startedAt);

const titleOf = (agent: AgentState): string => {
  // Before its work: of a long title the end is cut.
  if (agent.status === "waiting") return `${oneLine(agent.name)} · waits for you · ${oneLine(agent.description)}`;
  const place = agent.worktree === undefined ? "" : ` · worktree ${oneLine(agent.worktree)}`;
  const where = agent.isBackground ? " · in the background" : "";
  return `${oneLine(agent.name)} · ${oneLine(agent.description)}${place}${where}`;
};

const endText = (agent: AgentState, theme: Theme): string | undefined => {
  if (!isOver(agent)) return undefined;
  const summary = oneLine(agent.summary ?? "");
  return `${theme.style("error", "✗")} failed${summary === "" ? "" : `: ${summary}`}`;
};

const withNote = (left: string, note: string, width: number, theme: Theme): string => {
  const room = note === "" ? 0 : textWidth(note) + 1;
  if (room + 8 > width) return cutToWidth(left, width);
  const cut = cutToWidth(left, width - room);
  return note === "" ? cut : `${cut}${" ".repeat(width - textWidth(cut) - room + 1)}${theme.style("dim", note)}`;
};

const lineRows = (line: AgentLine, width: number, theme: Theme): string[] =>
  line.kind === "call"
    ? [withNote(`${stateGlyph(line.state, theme)} ${oneLine(line.text)}`, line.note, width, theme)]
    : wrapText(sanitise(line.text.slice(-width * textRows)).trim(), width).filter((row) => row.trim() !== "");

/** The last rows of what it did; its end, once it has ended. */
const lastRows = (agent: AgentState, width: number, theme: Theme): string[] => {
  const end = endText(agent, theme);
  const rows: string[] = end === undefined ? [] : [cutToWidth(end, width)];
  for (let index = agent.lines.length - 1; index >= 0 && rows.length < bodyRows; index--) {
    const line = agent.lines[index];
    // The end repeats its last words; prose leaves room for what it was said about.
    if (line && !(end !== undefined && line.kind === "text"))
      rows.unshift(...lineRows(line, width, theme).slice(1 - bodyRows));
  }
  return rows.slice(-bodyRows);
};

const edge = (ends: readonly [string, string], left: string, right: string, width: number, draw: Draw): string => {
  const tail = right === "" ? "" : ` ${right} `;
  const label = cutToWidth(left, Math.max(0, width - textWidth(tail) - 5));
  const line = "─".repeat(Math.max(0, width - 2 - textWidth(tail) - textWidth(label) - 2));
  return draw.border(ends[0]) + ` ${draw.label(label)} ` + draw.border(line) + draw.dim(tail) + draw.border(ends[1]);
};

interface Draw {
  border(text: string): string;
  label(text: string): string;
  dim(text: string): string;
}

const turnText = ({ turns }: AgentState): string => `${turns} turn${turns === 1 ? "" : "s"}`;

const figures = (agent: AgentState): string => {
  const { tokens, doing } = agent;
  return `${turnText(agent)} · ${tokenText(tokens)} tokens${doing === undefined ? "" : ` · ${oneLine(doing)}`}`;
};

type BoxOptions = Pick<PaneOptions, "theme" | "now" | "focused">;

interface Kept {
  width: number;
  theme: Theme;
  isFocused: boolean;
  elapsed: string;
  rows: string[];
}

/** The box of each agent as it was drawn last: a key's echo draws none anew. */
const keptBoxes = new WeakMap<AgentState, Kept>();

/** One agent as a box of exactly `width` cells and five rows. */
const boxOf = (agent: AgentState, width: number, options: BoxOptions): string[] => {
  const { theme, now, focused } = options;
  const key = { width, theme, isFocused: focused === agent.id, elapsed: elapsed(agent, now) };
  const kept = keptBoxes.get(agent);
  if (kept?.width === width && kept.theme === theme && kept.isFocused === key.isFocused && kept.elapsed === key.elapsed)
    return kept.rows;
  const rows = drawBox(agent, width, options);
  keptBoxes.set(agent, { ...key, rows });
  return rows;
};

const drawBox = (agent: AgentState, width: number, options: BoxOptions): string[] => {
  const { theme, now, focused } = options;
  const isFocused = focused === agent.id;
  const token = tokenOf(agent);
  const draw: Draw = {
    border: (text) => theme.style(token, text),
    label: (text) => theme.style(isFocused ? "strong" : token, text),
    dim: (text) => theme.style("dim", text),
  };
  const body = lastRows(agent, width - 4, theme);
  while (body.length < bodyRows) body.push("");
  const side = draw.border("│");
  const keys = `enter opens · x ${isOver(agent) ? "takes it off" : "stops"}`;
  const foot = isFocused ? keys : figures(agent);
  return [
    edge(["╭", "╮"], `${isFocused ? "▸ " : ""}${titleOf(agent)}`, elapsed(agent, now), width, draw),
    ...body.map((row) => `${side} ${padToWidth(row, width - 4)} ${side}`),
    edge(["╰", "╯"], foot, "", width, { ...draw, label: draw.dim }),
  ];
};

/** One agent on one line: who, figures, what it does now. */
const lineOf = ({ agent, depth, hidden }: TreeAgent, { width, theme, now, focused }: PaneOptions): string => {
  const token = tokenOf(agent);
  const glyph = isOver(agent) ? "✗" : agent.status === "waiting" ? "○" : "●";
  const count = hidden === 0 ? "" : ` (+${hidden})`;
  const name = theme.style(focused === agent.id ? "strong" : token, `${titleOf(agent)}${count}`);
  const numbers = `${turnText(agent)} · ${tokenText(agent.tokens)} · ${elapsed(agent, now)}`;
  const last = agent.lines.findLast(({ kind }) => kind === "call");
  const doing = isOver(agent) ? oneLine(agent.summary ?? "") : oneLine(agent.doing ?? last?.text ?? "");
  const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
  const mark = `${focused === agent.id ? "▸" : " "}${branch}${theme.style(isOver(agent) ? "error" : token, glyph)}`;
  return cutToWidth(`${mark} ${name}   ${theme.style("dim", numbers)}   ${doing}`, width);
};

/** Beside a question: who asks, who waits too, who works, who has ended. */
const askingFirst = (agents: readonly AgentState[], asking: string): TreeAgent[] => {
  const rank = (agent: AgentState): number =>
    agent.id === asking ? 0 : agent.status === "waiting" ? 1 : isOver(agent) ? 3 : 2;
  return agents
    .toSorted((one, other) => rank(one) - rank(other))
    .map((agent): TreeAgent => ({ agent, depth: 0, hidden: 0 }));
};

const lineOrder = (agents: readonly AgentState[], { height, asking }: Pick<PaneOptions, "height" | "asking">) =>
  asking === undefined ? agentTree(agents, height) : askingFirst(agents, asking);

const asLines = (agents: readonly AgentState[], options: PaneOptions): string[] => {
  const { height, theme } = options;
  const rows = lineOrder(agents, options);
  if (rows.length <= height) return rows.map((row) => lineOf(row, options));
  const at = Math.max(
    0,
    rows.findIndex(({ agent }) => agent.id === options.focused),
  );
  const room = Math.max(0, height - 1);
  const start = Math.min(Math.max(0, at - room + 1), rows.length - room);
  const shown = rows.slice(start, start + room).map((row) => lineOf(row, options));
  return [...shown, theme.style("dim", `  … ${rows.length - room} more`)];
};

const isNested = (agents: readonly AgentState[]): boolean =>
  agentTree(agents, agents.length).some(({ depth }) => depth > 0);

/** Boxes side by side; 0: there is no room for boxes, or they could not show who started whom. */
const boxesInARow = (agents: readonly AgentState[], width: number, height: number): number => {
  const perRow = Math.min(mostInARow, agents.length, Math.floor(width / narrowest));
  return perRow === 0 || isNested(agents) || Math.ceil(agents.length / perRow) * boxRows > height ? 0 : perRow;
};

/** How many rows `paneRows` gives. */
export const paneHeight = (
  agents: readonly AgentState[],
  { width, height, asking }: Pick<PaneOptions, "width" | "height" | "asking">,
): number => {
  if (agents.length === 0 || height < 1) return 0;
  const perRow = boxesInARow(agents, width, height);
  return perRow === 0
    ? Math.min(lineOrder(agents, { height, asking }).length, height)
    : Math.ceil(agents.length / perRow) * boxRows;
};

/** All agents in at most `height` rows; what has ended stands behind what works. */
export const paneRows = (all: readonly AgentState[], options: PaneOptions): string[] => {
  const { width, height } = options;
  if (all.length === 0 || height < 1) return [];
  const agents = endedLast(all);
  const perRow = boxesInARow(agents, width, height);
  if (perRow === 0) return asLines(agents, options);
  const rows: string[] = [];
  for (let start = 0; start < agents.length; start += perRow) {
    const group = agents.slice(start, start + perRow);
    const boxes = group.map((agent, index) => {
      const end = Math.floor(((index + 1) * width) / perRow);
      return boxOf(agent, end - Math.floor((index * width) / perRow), options);
    });
    for (let row = 0; row < boxRows; row++) rows.push(boxes.map((box) => box[row]).join(""));
  }
  return rows;
};
