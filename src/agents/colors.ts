// The eight colours agents are told apart by, and which one the next agent gets.

export const agentColors = ["blue", "green", "purple", "orange", "pink", "cyan", "yellow", "red"] as const;
export type AgentColor = (typeof agentColors)[number];

/** The colour a definition names; undefined for every other text (also hex values). */
export const colorNamed = (name: unknown): AgentColor | undefined =>
  agentColors.find((color) => typeof name === "string" && color === name.trim().toLowerCase());

/** The first colour no running agent wears; when all are taken they go round. */
export const nextColor = (taken: readonly AgentColor[]): AgentColor =>
  agentColors.find((color) => !taken.includes(color)) ?? agentColors[taken.length % agentColors.length] ?? "blue";
