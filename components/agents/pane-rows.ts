// Agents at work as terminal rows: boxes side by side where there is room, else a line each. Pure; never more rows than asked for.
import { sanitise } from "../../src/lib/sanitise.js";
import { cutToWidth, padToWidth, textWidth, wrapText } from "../../src/lib/text-width.js";
import type { AgentLine, AgentState } from "../../state/app-state.js";
import { durationText, tokenText } from "../status/format.js";
import type { Theme } from "../theme/themes.js";
import { agentToken, type Token } from "../theme/tokens.js";
import { stateGlyph } from "../transcript/tool-rows.js";

export interface PaneOptions {
  width: number;
  /** Most rows, all panes together. */
  height: number;
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Id of the agent that keys act on. */
  focused?: string | undefined;
}

const narrowest = 36; // cells of a box below which its lines say nothing
const bodyRows = 3;
const boxRows = bodyRows + 2;
const mostInARow = 3;
const textRows = 8; // of a long text only about this many rows are laid out

const oneLine = (text: string): string => sanitise(text).replace(/\s+/g, " ").trim();

const tokenOf = ({ color }: AgentState): Token => agentToken(color) ?? "promptBorder";

const isOver = ({ status }: AgentState): boolean => status !== "running" && status !== "waiting";

const elapsed = (agent: AgentState, now: number): string => durationText((agent.endedAt ?? now) - agent.startedAt);

const titleOf = (agent: AgentState): string => {
  if (agent.status === "waiting") return `${oneLine(agent.name)} · waits for you`;
  const place = agent.worktree === undefined ? "" : ` · worktree ${oneLine(agent.worktree)}`;
  const where = agent.isBackground ? " · in the background" : "";
  return `${oneLine(agent.name)} · ${oneLine(agent.description)}${place}${where}`;
};

const endings: Partial<Record<AgentState["status"], { glyph: string; word: string; token: Token }>> = {
  completed: { glyph: "✓", word: "done", token: "success" },
  failed: { glyph: "✗", word: "failed", token: "error" },
  stopped: { glyph: "✗", word: "stopped", token: "warning" },
};

const endText = (agent: AgentState, theme: Theme): string | undefined => {
  const ending = endings[agent.status];
  if (!ending) return undefined;
  const summary = oneLine(agent.summary ?? "");
  return `${theme.style(ending.token, ending.glyph)} ${ending.word}${summary === "" ? "" : `: ${summary}`}`;
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

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;

const figures = ({ turns, tokens, doing }: AgentState): string =>
  `${count(turns, "turn")} · ${tokenText(tokens)} tokens${doing === undefined ? "" : ` · ${oneLine(doing)}`}`;

/** One agent as a box of exactly `width` cells and five rows. */
export const boxOf = (
  agent: AgentState,
  width: number,
  options: Pick<PaneOptions, "theme" | "now" | "focused">,
): string[] => {
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
  const keys = isOver(agent) ? "enter opens" : "enter opens · x stops";
  const foot = isFocused ? keys : figures(agent);
  return [
    edge(["╭", "╮"], `${isFocused ? "▸ " : ""}${titleOf(agent)}`, elapsed(agent, now), width, draw),
    ...body.map((row) => `${side} ${padToWidth(row, width - 4)} ${side}`),
    edge(["╰", "╯"], foot, "", width, { ...draw, label: draw.dim }),
  ];
};

/** One agent on one line: who, figures, what it does now. */
const lineOf = (agent: AgentState, { width, theme, now, focused }: PaneOptions): string => {
  const token = tokenOf(agent);
  const glyph = endings[agent.status]?.glyph ?? (agent.status === "waiting" ? "○" : "●");
  const name = theme.style(focused === agent.id ? "strong" : token, titleOf(agent));
  const numbers = `${count(agent.turns, "turn")} · ${tokenText(agent.tokens)} · ${elapsed(agent, now)}`;
  const last = agent.lines.findLast(({ kind }) => kind === "call");
  const doing = isOver(agent) ? oneLine(agent.summary ?? "") : oneLine(agent.doing ?? last?.text ?? "");
  const mark = focused === agent.id ? "▸" : " ";
  return cutToWidth(`${mark}${theme.style(token, glyph)} ${name}   ${theme.style("dim", numbers)}   ${doing}`, width);
};

const asLines = (agents: readonly AgentState[], options: PaneOptions): string[] => {
  const { height, theme } = options;
  if (agents.length <= height) return agents.map((agent) => lineOf(agent, options));
  const at = Math.max(
    0,
    agents.findIndex(({ id }) => id === options.focused),
  );
  const room = Math.max(0, height - 1);
  const start = Math.min(Math.max(0, at - room + 1), agents.length - room);
  const shown = agents.slice(start, start + room).map((agent) => lineOf(agent, options));
  return [...shown, theme.style("dim", `  … ${agents.length - room} more`)];
};

/** All agents in at most `height` rows. */
export const paneRows = (agents: readonly AgentState[], options: PaneOptions): string[] => {
  const { width, height } = options;
  if (agents.length === 0 || height < 1) return [];
  const perRow = Math.min(mostInARow, agents.length, Math.floor(width / narrowest));
  const rowsOfBoxes = perRow === 0 ? 0 : Math.ceil(agents.length / perRow);
  if (perRow === 0 || rowsOfBoxes * boxRows > height) return asLines(agents, options);
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
