// Opens a session: settings, the start question, trust, mode, model, and what is resumed.
import { closeKeyFile } from "../auth/keychain.js";
import type { Emit } from "../execution/context.js";
import { bypassRefusal, parseMode } from "../permissions/modes.js";
import { gitBranch } from "../platform/git.js";
import { createShellRunner } from "../platform/shell/runner.js";
import type { EngineEvent } from "../protocol/events.js";
import { isUuid, newId } from "../protocol/ids.js";
import type { PermissionMode } from "../protocol/permission.js";
import { costOf } from "../providers/cost.js";
import { offlineModel } from "../providers/models.js";
import { readHistory } from "../sessions/prompt-history.js";
import { type LoadedSettings, loadSettings } from "../settings/load.js";
import { gitRoot } from "../settings/project.js";
import { createUsageCounter } from "../settings/tool-usage.js";
import { acceptTrust, folderGrants, isTrusted } from "../settings/trust.js";
import { createTaskList } from "../tasks/disk-list.js";

import { readAgentTypes } from "./agent-thread.js";
import { announce } from "./announce.js";
import { enterAuto } from "./auto-mode.js";
import { sessionShells } from "./background-tasks.js";
import { createCostTracker } from "./cost-tracker.js";
import { restoreDrafts } from "./drafts.js";
import type { EngineOptions } from "./engine-options.js";
import { greet, isFirstStart } from "./first-run.js";
import { beginStartHooks, startHooks } from "./hook-events.js";
import { keepHouseSoon } from "./keep-house.js";
import { unknownPrice } from "./limits.js";
import { enterLive } from "./live-session.js";
import { loadSession, locate, SessionProblem } from "./load-session.js";
import { askForKey } from "./login.js";
import { openMcp } from "./mcp.js";
import { providerFor, resolved, sessionCredentials, unknownModel, wantedModel } from "./models.js";
import { openSandbox, sandboxProblem, sandboxSettings } from "./sandbox.js";
import { canAuto, emptyConversation, newPlanPath, placesOf, publish, type Session } from "./session.js";
import { chooseSession } from "./session-list.js";
import {
  adoptSettings,
  freezeHooks,
  mayGoOnBroken,
  problemLine,
  reportProblems,
  watchSessionSettings,
} from "./settings-report.js";
import { flagProblem, missingFolders } from "./start-checks.js";
import { offerTools } from "./tool-offer.js";
import { createWhyLog, keepWhy } from "./why-log.js";
import { sweepLeftWorktrees } from "./worktrees.js";

/** The session cannot start; the message is for the person. */
export class StartProblem extends Error {
  override name = "StartProblem";
}

/** The person chose to leave at one of the first questions. */
export class Leave extends Error {
  override name = "Leave";
}

const readSettings = (options: EngineOptions, trusted: boolean): Promise<LoadedSettings> => {
  const { home, configDir } = placesOf(options);
  return loadSettings({
    cwd: options.cwd,
    home,
    configDir,
    env: options.env,
    flags: { settings: options.flags.settings },
    sources: options.flags.settingSources,
    isTrusted: trusted,
    isHeadless: !options.isInteractive,
  });
};

/** The session before anything was asked: settings of an untrusted folder, no tools, no model chosen. */
export const createSession = async (options: EngineOptions): Promise<Session> => {
  const places = placesOf(options);
  const trusted = await isTrusted({ cwd: options.cwd, home: places.home, state: places.state });
  const settings = await readSettings(options, trusted);
  const id = options.flags.sessionId ?? newId();
  if (!isUuid(id)) throw new StartProblem(`--session-id must be a UUID, got "${id}".`);
  const draft = {
    ...emptyConversation(),
    options,
    places,
    id,
    title: options.flags.name,
    titleBy: options.flags.name === undefined ? undefined : ("person" as const),
    startedAt: options.clock.now(),
    trusted,
    cwd: options.cwd,
    projectRoot: options.cwd,
    settings,
    mode: "default" as PermissionMode,
    modeBeforePlan: "default" as PermissionMode,
    canBypass: false,
    planPath: "",
    planExists: false,
    apiKeySource: "none",
    tools: [],
    toolUsage: {},
    toolUses: createUsageCounter(places.state, () => options.clock.now()),
    why: createWhyLog(
      () => options.clock.now(),
      (line) => keepWhy(session, line),
    ),
    shell: createShellRunner({ sessionId: id }),
  };
  const model = resolved(draft, wantedModel(draft));
  const session: Session = Object.assign(draft, {
    model,
    provider: providerFor(draft, model, { kind: "none", source: "none" }),
    reloadSettings: async () => {
      adoptSettings(session, await readSettings(options, session.trusted));
    },
    costs: createCostTracker({
      costOf: (name, usage) => costOf(resolved(session, name), usage),
      describe: (name) => {
        const info = resolved(session, name);
        return { contextWindow: info.contextWindow, maxOutputTokens: info.maxOutput };
      },
    }),
    shells: sessionShells(() => session),
    tasks: createTaskList({
      dir: `${places.configDir}/tasks/${options.env.CLAUDE_CODE_TASK_LIST_ID ?? id}`,
      onChange: (todos) => publish(session, { type: "todos", todos }),
    }),
  });
  session.planPath = newPlanPath(session);
  return session;
};

/** Files that could not be read stop a headless start; on the screen the person decides. */
const settleSettings = async (session: Session, emit: Emit): Promise<void> => {
  const fatal = session.settings.problems.filter((problem) => problem.fatal);
  if (fatal.length > 0 && !session.options.isInteractive)
    throw new StartProblem(
      `Settings cannot be read:\n${fatal.map(problemLine).join("\n")}\nFix the file and start again.`,
    );
  if (!(await mayGoOnBroken(session, emit))) throw new Leave("left because a settings file cannot be read");
};

const askStart = async (session: Session, emit: Emit): Promise<void> => {
  const credentials = await sessionCredentials(session);
  if (wantedModel(session) === offlineModel || credentials.kind !== "none") return;
  if (!session.options.isInteractive) {
    const doubt = unknownModel(resolved(session, wantedModel(session)));
    session.credentialProblem = [
      "No credentials were found. Set ANTHROPIC_API_KEY, or use the built-in offline model with --model offline.",
      ...(credentials.problem ? [credentials.problem] : []),
      ...(doubt ? [doubt] : []),
    ].join("\n");
    return; // the first prompt ends with it: local commands work without a model
  }
  const chosen = await askForKey(session, { problem: credentials.problem }, emit, session.closing.signal);
  if (chosen.kind === "left") throw new Leave("left at the start question");
  if (chosen.kind === "problem") throw new StartProblem(chosen.text);
  if (chosen.kind === "offline") {
    session.options.flags.model = offlineModel;
    session.startsTour = session.options.mayStartTour;
  } else if (chosen.text) await emit({ type: "notice", level: "info", text: chosen.text });
};

const askTrust = async (session: Session, emit: Emit): Promise<void> => {
  const { options, places } = session;
  if (session.trusted || !options.isInteractive) return;
  const place = { cwd: options.cwd, home: places.home, state: places.state };
  const grants = await folderGrants({ ...place, configDir: places.configDir });
  const answer = await session.questions.ask("trust", { folder: options.cwd, grants }, emit, session.closing.signal);
  if (!answer?.trusted) throw new Leave("the folder was not trusted");
  await acceptTrust(place).catch(async (error: Error) => {
    const text = `The trust in this folder could not be saved (${error.message}): it holds for this session only.`;
    await emit({ type: "notice", level: "warning", text });
  });
  session.trusted = true;
  await session.reloadSettings();
};

/** The mode to begin with: flag, then settings. Throws StartProblem for a mode that is refused here. */
const startMode = (session: Session): PermissionMode => {
  const { flags, env } = session.options;
  const fromSettings = session.settings.get("permissions")?.defaultMode;
  const mode = flags.permissionMode ?? (fromSettings === undefined ? "default" : parseMode(fromSettings)) ?? "default";
  if (mode === "auto" && !canAuto(session)) {
    if (flags.permissionMode === "auto") throw new StartProblem("The auto mode is switched off by your settings.");
    return "default";
  }
  const isDisabled = session.settings.get("permissions")?.disableBypassPermissionsMode === "disable";
  const wantsBypass = mode === "bypassPermissions" || flags.allowBypass === true;
  const refusal = bypassRefusal(process.getuid?.(), env);
  if (wantsBypass && isDisabled) throw new StartProblem("The bypass mode is switched off by your settings.");
  if (wantsBypass && refusal) throw new StartProblem(refusal);
  session.canBypass = wantsBypass;
  return mode;
};

const chooseModel = async (session: Session): Promise<void> => {
  const credentials = await sessionCredentials(session);
  session.model = resolved(session, wantedModel(session));
  session.provider = providerFor(session, session.model, credentials);
  session.apiKeySource = credentials.source;
  const problem = unknownPrice(
    { maxUsd: session.options.flags.maxBudgetUsd },
    session.model.id,
    session.model.prices !== null,
  );
  if (problem) throw new StartProblem(problem);
};

const listed = 3; // more names than these say nothing new

/** Reads the agents; files that gave none are told in one line. */
const findAgents = async (session: Session, emit: Emit): Promise<void> => {
  if (!session.tools.some(({ name }) => name === "Agent")) return;
  const { problems } = await readAgentTypes(session);
  if (problems.length === 0) return;
  const shown = problems.slice(0, listed).map(({ file, text }) => `${file}: ${text}`);
  const more = problems.length > listed ? ` (and ${problems.length - listed} more)` : "";
  await emit({ type: "notice", level: "warning", text: `Agents: ${shown.join("; ")}${more}`, key: "agents" });
};

/** Asks what must be asked, then makes the session ready. Throws StartProblem, SessionProblem or Leave. */
export const openSession = async (session: Session, emit: Emit): Promise<void> => {
  const { options, places } = session;
  const problem = await flagProblem(session);
  if (problem) throw new StartProblem(problem);
  await settleSettings(session, emit);
  if (await closeKeyFile(places.configDir))
    await emit({
      type: "notice",
      level: "warning",
      text: "The file of the stored key (.credentials.json) could be read by others; its mode is 600 now.",
    });
  const isFirst = await isFirstStart(session);
  await askStart(session, emit);
  await askTrust(session, emit);
  session.mode = startMode(session);
  await chooseModel(session);
  const sandboxFailure = await openSandbox(session);
  if (sandboxFailure && sandboxSettings(session).failIfUnavailable)
    throw new StartProblem(sandboxProblem(sandboxFailure));
  if (sandboxFailure)
    await emit({
      type: "notice",
      level: "warning",
      text: `${sandboxProblem(sandboxFailure)} Commands run outside it, with the usual questions.`,
    });
  await offerTools(session);
  await reportProblems(session, emit);
  for (const text of await missingFolders(session)) await emit({ type: "notice", level: "warning", text });
  freezeHooks(session);
  if (options.isInteractive) watchSessionSettings(session);
  session.projectRoot = (await gitRoot(options.cwd)) ?? options.cwd;
  if (session.trusted || !options.isInteractive) session.gitBranch = await gitBranch({ cwd: options.cwd });
  const found = await locate(session);
  const replay: EngineEvent[] = [];
  if (found?.kind === "file")
    await loadSession(session, found.file, async (event) => void replay.push(event), {
      isFork: options.flags.forkSession === true,
      ...(options.flags.name === undefined ? {} : { name: options.flags.name }),
    });
  await openMcp(session, emit);
  await findAgents(session, emit);
  if (session.mode === "auto") await enterAuto(session, emit);
  await announce(session, found?.kind === "file" ? "resume" : "open", emit);
  enterLive(session);
  for (const event of replay) await emit(event);
  await emit({ type: "history", ...readHistory(places.historyFile, options.cwd, session.id) });
  await emit({ type: "todos", todos: await session.tasks.todos() });
  keepHouseSoon(session);
  await restoreDrafts(session, emit);
  if (session.trusted && options.isInteractive)
    sweepLeftWorktrees(session).catch((error: unknown) => console.error("left worktrees:", error)); // for the debug log
  if (isFirst) await greet(session, emit);
  if (found?.kind === "choose") await chooseSession(session, found.query, emit);
  const source = found?.kind === "file" ? (options.flags.forkSession ? "fork" : "resume") : "startup";
  if (options.isInteractive) beginStartHooks(session, source);
  else await startHooks(session, source, emit, session.closing.signal);
  if (!session.trusted && session.settings.held.length > 0 && !options.isInteractive)
    await emit({
      type: "notice",
      level: "warning",
      text: `This folder is not trusted, so these of its settings are not in force: ${session.settings.held.map(({ line }) => line).join("; ")}`,
    });
};

/** A problem whose message is for the person; anything else is a bug. */
export const isKnownProblem = (error: unknown): error is StartProblem | SessionProblem =>
  error instanceof StartProblem || error instanceof SessionProblem;
