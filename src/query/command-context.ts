// What slash commands may do, made from the session.
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { CommandContext } from "../commands/command.js";
import type { Emit } from "../execution/context.js";
import { explainText } from "../permissions/explain.js";
import { loadInstructions } from "../prompt/instructions.js";
import { isUuid, newId } from "../protocol/ids.js";
import { readHistory } from "../sessions/prompt-history.js";
import { announce, commandRows } from "./announce.js";
import { taskRows } from "./background-tasks.js";
import { compactConversation } from "./compact.js";
import { contextPicker } from "./context-parts.js";
import { cacheLines } from "./context-work.js";
import { restoreDrafts } from "./drafts.js";
import { decideCommand } from "./execution-context.js";
import { endHooks, startHooks } from "./hook-events.js";
import { notifyHooks } from "./hook-notices.js";
import { hooksPicker } from "./hooks-picker.js";
import { loadSession, locate, SessionProblem } from "./load-session.js";
import { login, logout } from "./login.js";
import { mcpAct, mcpPicker } from "./mcp-actions.js";
import { changeMode } from "./mode.js";
import { modelRows, setModel } from "./models.js";
import { allRules, applyUpdates } from "./permission-state.js";
import { sandboxText } from "./sandbox.js";
import { type Session, sessionInfo, startOver, transcriptFile, workingDirs } from "./session.js";
import { branchSession, conversationText, nameFresh, renameSession, saveNew } from "./session-commands.js";
import { sessionsPicker } from "./session-list.js";
import { addWorkingDir, answerTexts, setEffort } from "./small-commands.js";

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const memoryFiles = async (session: Session): ReturnType<CommandContext["memoryFiles"]> => {
  const { options, places, settings } = session;
  const { files, skipped } = await loadInstructions({
    cwd: options.cwd,
    home: places.home,
    configDir: places.configDir,
    agentsMd: settings.get("agentsMd") ?? "fallback",
    excludes: settings.get("claudeMdExcludes") ?? [],
  });
  const labels = { user: "user", project: "project", local: "project, only yours" };
  const found = files.map(({ path, kind }) => ({ path, label: labels[kind], exists: true }));
  const offered = [
    { path: join(places.configDir, "CLAUDE.md"), label: labels.user },
    { path: join(options.cwd, "CLAUDE.md"), label: labels.project },
  ].filter(({ path }) => !found.some((file) => file.path === path));
  const more = await Promise.all(offered.map(async (file) => ({ ...file, exists: await exists(file.path) })));
  const left = skipped.map(({ path, reason }) => ({ path, label: "not read", exists: true, note: reason }));
  return [...found, ...more.filter(({ path }) => !left.some((file) => file.path === path)), ...left];
};

const statusRows = async (session: Session): ReturnType<CommandContext["statusRows"]> => {
  const { options, settings, places } = session;
  const { flags } = options;
  const sources = settings.layers
    .filter(({ exists: isThere }) => isThere)
    .map(({ source, file }) => `${source} (${file})`);
  return [
    { label: "Version", value: options.version },
    { label: "Session", value: session.title ? `${session.title} (${session.id})` : session.id },
    { label: "Transcript", value: flags.persist === false ? "not kept" : transcriptFile(session) },
    { label: "Folder", value: session.cwd },
    { label: "Trusted", value: session.trusted ? "yes" : "no" },
    { label: "Model", value: `${session.model.label} (${session.model.id}), provider ${session.provider.id}` },
    { label: "Credentials", value: session.apiKeySource },
    { label: "API address", value: options.env.ANTHROPIC_BASE_URL ?? "default" },
    { label: "Permission mode", value: session.mode },
    { label: "Context", value: `${session.contextTokens} of ${session.model.contextWindow} tokens` },
    { label: "Turn limit", value: flags.maxTurns === undefined ? "none" : `${flags.maxTurns} in each run` },
    {
      label: "Cost limit",
      value:
        flags.maxBudgetUsd === undefined
          ? "none"
          : `$${flags.maxBudgetUsd}, used $${(session.costs.totalUsd() ?? 0).toFixed(4)}`,
    },
    { label: "Settings from", value: sources.join(", ") || "no files" },
    { label: "Settings folder", value: places.configDir },
  ];
};

const permissionsPicker = (session: Session): Awaited<ReturnType<CommandContext["permissionsPicker"]>> => {
  const { flags } = session.options;
  const sourceOf = (path: string, index: number): string => {
    if (index === 0) return "start folder";
    if (flags.addDirs?.includes(path)) return "--add-dir";
    return session.sessionDirs.includes(path) ? "this session" : "settings";
  };
  return {
    kind: "permissions",
    mode: session.mode,
    rules: allRules(session).flatMap(({ text, behavior, source, file }) =>
      behavior === "sandbox" ? [] : [{ rule: text, behavior, source, file }],
    ),
    denied: session.recentlyDenied.toReversed().map(({ tool, title, reason }) => ({ tool, title, reason })),
    directories: workingDirs(session).map((path, index) => ({ path, source: sourceOf(path, index) })),
  };
};

/** A context for one command. */
export const commandContext = (session: Session, emit: Emit, signal: AbortSignal): CommandContext => ({
  session: () => sessionInfo(session, commandRows(session)),
  isInteractive: session.options.isInteractive,
  signal,
  commands: () => commandRows(session),
  clear: async (name) => {
    await endHooks(session, "clear", emit);
    const { id, title, messages, lastRequest } = session;
    const cleared = messages.length > 0 ? { sessionId: id, title: title ?? lastRequest ?? id } : session.cleared;
    startOver(session, newId());
    session.cleared = cleared;
    nameFresh(session, name);
    await announce(session, "clear", emit);
    await startHooks(session, "clear", emit, signal);
  },
  compact: (focus) => compactConversation(session, { trigger: "manual", ...(focus ? { focus } : {}) }, emit, signal),
  context: () => contextPicker(session),
  cacheLines: () => cacheLines(session),
  resume: async (idOrTitle) => {
    const wanted = { ...session, options: { ...session.options, flags: { resume: idOrTitle } } };
    const found = await locate(wanted).catch((error: unknown) => {
      if (error instanceof SessionProblem && !isUuid(idOrTitle)) return undefined;
      throw error;
    });
    if (found?.kind !== "file") return "unclear";
    await endHooks(session, "resume", emit);
    const replay: Parameters<Emit>[0][] = [];
    await loadSession(session, found.file, async (event) => void replay.push(event), { isFork: false });
    await announce(session, "resume", emit);
    for (const event of replay) await emit(event);
    const { options, places, id } = session;
    if (!options.env.CLAUDE_CODE_SKIP_PROMPT_HISTORY)
      await emit({ type: "history", ...readHistory(places.historyFile, options.cwd, id) });
    await startHooks(session, "resume", emit, signal);
    await restoreDrafts(session, emit);
    return "resumed";
  },
  sessionsPicker: (query) => sessionsPicker(session, query),
  branch: async (name) => {
    const branched = await branchSession(session, name);
    await announce(session, "change", emit);
    await startHooks(session, "fork", emit, signal);
    return branched;
  },
  rename: async (name) => {
    const given = await renameSession(session, name, signal);
    await announce(session, "change", emit);
    return given;
  },
  conversationText: async () => conversationText(session),
  saveNew: (path, text) => saveNew(session, path, text),
  rewindPicker: async () => (await import("./rewind.js")).rewindPicker(session),
  setModel: async (model, save) => {
    const label = await setModel(session, model, save, emit);
    await announce(session, "change", emit);
    return label;
  },
  login: async () => {
    const text = await login(session, emit, signal);
    notifyHooks(session, "auth_success", "A new key is in use");
    await announce(session, "change", emit);
    return text;
  },
  logout: async () => {
    const text = await logout(session);
    await announce(session, "change", emit);
    return text;
  },
  models: () => modelRows(session),
  setMode: (mode) => void changeMode(session, mode, emit),
  updatePermissions: (updates) => applyUpdates(session, updates, emit),
  explainCommand: async (command) => explainText(await decideCommand(session, command), session.mode),
  sandboxText: () => sandboxText(session),
  hooksPicker: () => hooksPicker(session),
  permissionsPicker: async () => permissionsPicker(session),
  mcpPicker: async () => mcpPicker(session),
  mcpAct: (action, server) => mcpAct(session, action, server, emit, signal),
  costs: () => ({
    rows: session.costs.rows(),
    totalUsd: session.costs.totalUsd(),
    apiMs: session.costs.apiMs(),
    wallMs: session.options.clock.now() - session.startedAt,
    linesAdded: session.linesAdded,
    linesRemoved: session.linesRemoved,
  }),
  memoryFiles: () => memoryFiles(session),
  statusRows: () => statusRows(session),
  settingRows: async () => (await import("./settings-rows.js")).settingRows(session),
  changeSetting: async (name, value) => {
    const text = await (await import("./settings-rows.js")).changeSetting(session, name, value, emit);
    await announce(session, "change", emit);
    return text;
  },
  stylesPicker: async () => (await import("./output-style.js")).stylesPicker(session),
  chooseStyle: async (name) => (await import("./output-style.js")).chooseStyle(session, name, emit),
  answers: () => answerTexts(session),
  addDir: (path) => addWorkingDir(session, path),
  setEffort: async (wish) => {
    const text = await setEffort(session, wish, emit);
    await announce(session, "change", emit);
    return text;
  },
  planPath: () => session.planPath,
  tasks: () => taskRows(session),
  why: () => session.why.entries(),
});
