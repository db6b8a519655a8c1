// The sandbox of a session: settings and rules made into its policy, its state, and the question about a new host.
import { join } from "node:path";
import type { Emit } from "../execution/context.js";
import { anchorOf } from "../permissions/patterns.js";
import { coversTool } from "../permissions/rules.js";
import type { Rule } from "../permissions/types.js";
import { ripgrepPath } from "../platform/ripgrep.js";
import { newId } from "../protocol/ids.js";
import { type PolicyInput, type SandboxPolicy, type SandboxSettings, sandboxPolicy } from "../sandbox/policy.js";
import type { SandboxState } from "../sandbox/run.js";
import { allRules, applyUpdates } from "./permission-state.js";
import { publish, type Session, tmpDirOf, workingDirs } from "./session.js";

export const sandboxSettings = ({ settings }: Pick<Session, "settings">): SandboxSettings =>
  (settings.get("sandbox") ?? {}) as SandboxSettings;

/** Paths of a rule as the sandbox takes them: a folder for `dir/**`, else a glob that only denying lists may hold. */
const pathsOf = (rule: Rule, session: Session, mayGlob: boolean): string[] => {
  const { anchors, pattern } = anchorOf(rule, {
    cwd: session.cwd,
    projectRoot: session.projectRoot,
    home: session.places.home,
  });
  const plain = pattern.replace(/\/\*\*(\/\*)?$/, "");
  const isGlob = /[*?[\\]/.test(plain);
  if (isGlob && !mayGlob) return [];
  // A bare name is a name at any depth.
  const isAnyDepth = !plain.includes("/") || plain.startsWith("**/");
  const below = isAnyDepth && !plain.startsWith("**/") ? `**/${plain}` : plain;
  if (isAnyDepth && !mayGlob) return [];
  return anchors.map((anchor) => join(anchor, below));
};

const hostsOf = (rules: readonly Rule[], behavior: Rule["behavior"]): string[] =>
  rules.flatMap(({ behavior: own, tool, content }) =>
    own === behavior && tool === "WebFetch" && content?.startsWith("domain:")
      ? content.slice("domain:".length).trim()
      : [],
  );

const rulesPolicy = (session: Session): PolicyInput["rules"] => {
  const rules = allRules(session).filter(({ content }) => content !== undefined);
  const of = (behavior: Rule["behavior"], tool: string) =>
    rules
      .filter((rule) => rule.behavior === behavior && coversTool(rule, tool))
      .flatMap((rule) => pathsOf(rule, session, behavior !== "allow"));
  return {
    allowWrite: of("allow", "Edit"),
    denyWrite: [...of("deny", "Edit"), ...of("deny", "Read")],
    denyRead: of("deny", "Read"),
    allowedHosts: hostsOf(rules, "allow"),
    deniedHosts: hostsOf(rules, "deny"),
  };
};

/** What commands in the sandbox may touch now. */
export const policyOf = (session: Session): SandboxPolicy => {
  const { places, settings, options } = session;
  return sandboxPolicy({
    workingDirs: workingDirs(session),
    home: places.home,
    tmpDir: tmpDirOf(session),
    layers: settings.layers.flatMap(({ source, settings: layer }) => {
      const filesystem = (layer.sandbox as SandboxSettings | undefined)?.filesystem;
      return filesystem ? [{ filesystem, base: source === "user" ? places.configDir : options.cwd }] : [];
    }),
    network: sandboxSettings(session).network ?? {},
    rules: rulesPolicy(session),
    ownFiles: [places.configDir, places.state.file],
  });
};

/** Asks the person about a host that no list names. Nobody to ask: no. */
const askHost = async (session: Session, host: string): Promise<boolean> => {
  const emit: Emit = async (event) => publish(session, event);
  if (!session.options.isInteractive) return false;
  const rule = { toolName: "WebFetch", ruleContent: `domain:${host}` };
  const answer = await session.questions.ask(
    "permission",
    {
      toolUseId: newId(),
      tool: "Network",
      title: host,
      input: { host },
      display: { kind: "text", text: `A command in the sandbox wants to reach ${host}.` },
      reasons: [{ kind: "sandbox", text: `no rule and no sandbox setting names ${host}` }],
      suggestions: [
        {
          label: `don't ask again for ${host} in this project`,
          updates: [{ type: "addRules", rules: [rule], behavior: "allow", destination: "localSettings" }],
        },
      ],
    },
    emit,
    session.closing.signal,
  );
  if (answer?.outcome !== "allow") return false;
  if (answer.updates) await applyUpdates(session, answer.updates, emit);
  return true;
};

/** Looks once whether the sandbox works here. */
export const sandboxState = (session: Session): Promise<SandboxState> => {
  session.sandboxState ??= import("../sandbox/run.js").then(({ checkSandbox }) =>
    checkSandbox(sandboxSettings(session), ripgrepPath(session.options.env)),
  );
  return session.sandboxState;
};

const wantsSandbox = (session: Session): boolean =>
  sandboxSettings(session).enabled === true || allRules(session).some(({ behavior }) => behavior === "sandbox");

/** Makes the sandbox ready when settings or rules want one and it works here. Returns what is wrong, if anything. */
export const openSandbox = async (session: Session): Promise<SandboxState | undefined> => {
  if (session.sandbox || !wantsSandbox(session)) return undefined;
  const state = await sandboxState(session);
  if (!state.isAvailable) return state;
  const { createSandbox } = await import("../sandbox/run.js");
  session.sandbox = createSandbox({
    settings: sandboxSettings(session),
    policy: () => policyOf(session),
    ripgrep: ripgrepPath(session.options.env),
    askHost: (host) => askHost(session, host),
    tmpDir: tmpDirOf(session),
  });
  return undefined;
};

const stateLines = ({ isAvailable, problems, install }: SandboxState): string[] =>
  isAvailable
    ? ["Works here: yes"]
    : ["Works here: no", ...problems.map((problem) => `  ${problem}`), ...(install ? [`  install: ${install}`] : [])];

/** What /sandbox shows. */
export const sandboxText = async (session: Session): Promise<string> => {
  const settings = sandboxSettings(session);
  const state = await sandboxState(session);
  const policy = policyOf(session);
  const onOff = (value: boolean | undefined, fallback: boolean): string => ((value ?? fallback) ? "yes" : "no");
  return [
    `Sandbox for commands: ${settings.enabled ? "on" : 'off (settings: "sandbox": { "enabled": true })'}`,
    ...stateLines(state),
    `Commands inside run without a question: ${onOff(settings.autoAllowBashIfSandboxed, true)}`,
    `A command may be run outside after a question: ${onOff(settings.allowUnsandboxedCommands, true)}`,
    `Always outside: ${settings.excludedCommands?.join(", ") || "none"}`,
    `Writable: ${policy.allowWrite.join(", ")}`,
    `Unreadable: ${policy.denyRead.join(", ") || "nothing"}`,
    `Hosts: ${policy.allowedHosts.join(", ") || "each new one asks"}${policy.deniedHosts.length > 0 ? `; never ${policy.deniedHosts.join(", ")}` : ""}`,
  ].join("\n");
};

/** The text about a sandbox that is wanted and does not work. */
export const sandboxProblem = ({ problems, install }: SandboxState): string =>
  `The sandbox is switched on but does not work here: ${problems.join("; ")}.${install ? ` Install it with: ${install}.` : ""}`;
