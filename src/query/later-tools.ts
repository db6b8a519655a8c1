// Tools by name only: which ones they are, how the model learns of them, and tools that join or leave a session that runs.
import { estimateTools } from "../context/count.js";
import { referencedTools } from "../context/tool-references.js";
import { coversTool } from "../permissions/rules.js";
import { deferredListing, deferredNews } from "../prompt/deferred-tools.js";
import { type Message, textOf } from "../protocol/messages.js";
import type { TranscriptRecord } from "../sessions/record.js";
import { isRarelyUsed } from "../settings/tool-usage.js";
import { findTool } from "../tools/index.js";
import type { AnyTool, DeferredTools } from "../tools/tool.js";
import { allRules } from "./permission-state.js";
import type { Session } from "./session.js";
import { createShelf, referencesOf, type ToolShelf } from "./tool-shelf.js";
import { toolSpec } from "./tool-spec.js";

const searchTool = "ToolSearch";
const planTools: ReadonlySet<string> = new Set(["EnterPlanMode", "ExitPlanMode"]);
const defaultPercent = 10; // of the window, for `auto`

export type ToolSearchSetting = { kind: "on" } | { kind: "off" } | { kind: "auto"; percent: number };

/** ENABLE_TOOL_SEARCH: true (also when unset), false, auto, or auto:N with N percent of the window. */
export const toolSearchSetting = (value: string | undefined): ToolSearchSetting => {
  const text = (value ?? "").trim().toLowerCase();
  if (/^(0|false|no|off)$/.test(text)) return { kind: "off" };
  const auto = /^auto(?::(\d{1,3}))?$/.exec(text);
  return auto ? { kind: "auto", percent: Math.min(100, Number(auto[1] ?? defaultPercent)) } : { kind: "on" };
};

const settingOf = ({ options }: Pick<Session, "options">): ToolSearchSetting =>
  toolSearchSetting(options.env.ENABLE_TOOL_SEARCH);

/** Whether ToolSearch is among the session's tools. */
export const offersToolSearch = (session: Pick<Session, "options">): boolean => settingOf(session).kind !== "off";

/** A rule that denies the tool as a whole. */
export const isDeniedTool = (session: Session, { name }: Pick<AnyTool, "name">): boolean =>
  allRules(session).some(
    (rule) =>
      rule.behavior === "deny" && (rule.content === undefined || rule.content === "*") && coversTool(rule, name),
  );

const isMcp = ({ name }: AnyTool): boolean => name.startsWith("mcp__");

/** Tools that are named on the command line are wanted in full. */
const namedTools = ({ options }: Session): Set<string> =>
  new Set((options.flags.tools ?? []).map((name) => findTool(name)?.name ?? name));

const isDeferrable = (session: Session): ((tool: AnyTool) => boolean) => {
  const { toolUsage, mode, options, shelf } = session;
  const named = namedTools(session);
  const now = options.clock.now();
  const isRare = (tool: AnyTool): boolean =>
    !(mode === "plan" && planTools.has(tool.name)) && (isMcp(tool) || isRarelyUsed(toolUsage, tool.name, now));
  // A resumed conversation goes on with the list it began with: the same bytes, as far as they can be known.
  return (tool) => tool.deferred && !named.has(tool.name) && (shelf.hasTold(tool.name) || isRare(tool));
};

/** Puts the session's tools on its shelf: in full, or by name. Until the first request it may be called again. */
export const fillShelf = (session: Session): void => {
  const { shelf, tools, model } = session;
  const setting = settingOf(session);
  const hasSearch = setting.kind !== "off" && tools.some(({ name }) => name === searchTool);
  const isCandidate = isDeferrable(session);
  const candidates = new Set(hasSearch ? tools.filter(isCandidate) : []);
  const tokens = estimateTools([...candidates].map(toolSpec));
  const isSmall = setting.kind === "auto" && tokens < (model.contextWindow * setting.percent) / 100;
  shelf.offer(tools, (tool) => !isSmall && candidates.has(tool));
};

/** Called before each run: what the first request will send in full is decided with the first of them. */
export const settleTools = (session: Session): void => {
  if (session.shelf.isSettled()) return;
  fillShelf(session);
  session.shelf.settle();
};

/**
 * Adds tools to the session, or newer versions of them, at any time between turns. Before the first request they are offered
 * like all others; later they are deferred whatever they say, and the prefix stays cached. Where ToolSearch is not offered they
 * are appended to the list, and the ledger names the cache miss. Tools that a rule denies as a whole are left out.
 */
export const addTools = (session: Session, tools: readonly AnyTool[]): void => {
  const allowed = tools.filter((tool) => !isDeniedTool(session, tool));
  const names = new Set(allowed.map(({ name }) => name));
  session.tools = [...session.tools.filter(({ name }) => !names.has(name)), ...allowed];
  if (!session.shelf.isSettled()) fillShelf(session);
  else if (session.tools.some(({ name }) => name === searchTool)) session.shelf.add(allowed);
  else appendGeneration(session, allowed);
};

const appendGeneration = ({ shelf, context }: Session, tools: readonly AnyTool[]): void => {
  const before = shelf.specs.length;
  shelf.append(tools);
  const come = shelf.specs.slice(before).map(({ name }) => name);
  if (come.length > 0) context.ledger.note(`tools were added to the list: ${come.join(", ")}`);
};

/** Takes tools away. What was sent in full stays in the list: a call of it is told that there is no such tool. */
export const removeTools = (session: Session, names: readonly string[]): void => {
  session.tools = session.tools.filter(({ name }) => !names.includes(name));
  if (session.shelf.isSettled()) session.shelf.remove(names);
  else fillShelf(session);
};

/** The shelf of an agent: what the session defers is deferred for it too, if it can search and its definition does not name it. */
export const agentShelf = (session: Session, tools: readonly AnyTool[], listed: readonly string[] = []): ToolShelf => {
  const shelf = createShelf();
  const hasSearch = tools.some(({ name }) => name === searchTool);
  const deferred = new Set(session.shelf.deferred().map(({ name }) => name));
  shelf.hasRefusedReferences = session.shelf.hasRefusedReferences;
  shelf.offer(tools, ({ name }) => hasSearch && deferred.has(name) && !listed.includes(name));
  shelf.settle();
  return shelf;
};

/** The listing for a first reminder; undefined when every tool is there in full. */
export const listingOf = (shelf: ToolShelf): { title: string; text: string } | undefined =>
  deferredListing(shelf.tellAll());

/** Tools that came and went since the model was told, as a reminder. */
export const newsOf = ({ shelf, hasBackground }: Session): string[] => {
  if (!hasBackground) return [];
  const news = deferredNews(shelf.tellNews());
  return news === undefined ? [] : [news];
};

/** What ToolSearch reaches: the thread's shelf, without tools that a rule denies by now. */
export const deferredTools = (session: Session, shelf: ToolShelf, tools: readonly AnyTool[]): DeferredTools => {
  const allowed = (): AnyTool[] => shelf.deferred().filter((tool) => !isDeniedTool(session, tool));
  return {
    list: allowed,
    offered: (name) => findTool(name, tools)?.name,
    load: (names) => {
      const may = new Set(allowed().map(({ name }) => name));
      const before = shelf.specs.length;
      const loaded = shelf.load(names.filter((name) => may.has(name)));
      const isMain = shelf === session.shelf;
      if (isMain && shelf.specs.length > before && !referencesOf(shelf, session.provider).isTaken)
        session.context.ledger.note(
          `ToolSearch loaded ${loaded.join(", ")}, and this endpoint takes no tool references: they stand behind the other tools`,
        );
      return loaded;
    },
  };
};

const recordType = "loaded-tools";

/** Writes down what is loaded: behind a compaction the conversation does not say it any more. */
export const recordLoaded = ({ transcript, id, shelf }: Session): void => {
  const names = shelf.loaded();
  if (names.length > 0) transcript?.appendRaw({ type: recordType, sessionId: id, names });
};

/** Takes back what a resumed conversation had loaded and what it was told. */
export const restoreTools = (
  { shelf }: Session,
  messages: readonly Message[],
  records: readonly TranscriptRecord[],
): void => {
  const record = records.findLast(({ type }) => type === recordType) as { names?: unknown } | undefined;
  const names = Array.isArray(record?.names) ? record.names.filter((name) => typeof name === "string") : [];
  shelf.load([...names, ...referencedTools(messages)]);
  const reminders = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  shelf.recall(reminders.filter((text) => text.startsWith("<system-reminder>")).flatMap((text) => text.split("\n")));
};
