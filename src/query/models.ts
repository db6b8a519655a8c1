// Which model and which provider the session talks to.
import { currentCredentials, type FoundCredentials, findCredentials, keyResponse, renewalOf } from "../auth/api-key.js";
import { createKeychain, type Keychain } from "../auth/keychain.js";
import { hasThinking, type Refusal, replaceMessages, withRepair } from "../context/refusals.js";
import type { Emit } from "../execution/context.js";
import { nearest } from "../lib/nearest.js";
import { runHelper } from "../platform/helper-command.js";
import { createProvider } from "../providers/index.js";
import {
  type ModelInfo,
  type ModelOverrides,
  modelAliases,
  offlineModel,
  pickerModels,
  resolveModel,
} from "../providers/models.js";
import type { Provider } from "../providers/provider.js";
import { readState } from "../settings/state-file.js";
import { updateUserSettings } from "../settings/write.js";
import type { Session } from "./session.js";
import { sessionRecorder } from "./session-record.js";

const helperTimeoutMs = 30_000; // a key helper that takes longer is stuck

/** Name of the model before it is resolved: flag, environment, settings, default. */
export const wantedModel = (session: Pick<Session, "options" | "settings">): string =>
  session.options.flags.model ?? session.options.env.ANTHROPIC_MODEL ?? session.settings.get("model") ?? "default";

export const resolved = (session: Pick<Session, "options" | "settings">, name: string): ModelInfo =>
  resolveModel(name, {
    overrides: session.settings.get("models") as ModelOverrides | undefined,
    env: session.options.env,
  });

/** Where typed keys are kept. */
export const sessionKeychain = ({ places }: Pick<Session, "places">): Keychain =>
  createKeychain({ configDir: places.configDir });

/** The credentials in force. Interactive sessions use a key of the environment only once the person approved it. */
export const sessionCredentials = async (
  session: Pick<Session, "options" | "settings" | "places">,
): Promise<FoundCredentials> => {
  const { env, isInteractive, clock } = session.options;
  const { data } = await readState(session.places.state);
  return findCredentials({
    env,
    settings: { apiKeyHelper: session.settings.get("apiKeyHelper") },
    keychain: sessionKeychain(session),
    runHelper: (command) => runHelper({ command, env, cwd: session.options.cwd, timeoutMs: helperTimeoutMs }),
    now: () => clock.now(),
    isApproved: isInteractive ? (key) => keyResponse(data, key) === "approved" : undefined,
  });
};

/** The provider for a model. */
export const providerFor = (
  session: Pick<Session, "options" | "settings">,
  model: ModelInfo,
  credentials: FoundCredentials,
): Provider =>
  createProvider({
    model: model.id,
    env: session.options.env,
    version: session.options.version,
    clock: session.options.clock,
    credentials: () => currentCredentials(credentials),
    renewCredentials: renewalOf(credentials),
  });

/** Thinking is signed for whoever made it: another provider refuses it. Recorded, so that a resume leaves it out too. */
const forgetThinking = (session: Session, why: string): void => {
  const refusal: Refusal = { kind: "strip_thinking", what: "Left out the model's earlier thinking." };
  if (!hasThinking(session.messages)) return;
  replaceMessages(session.messages, withRepair(session.messages, refusal));
  sessionRecorder(session).repair?.(`${refusal.what} Reason: ${why}.`, refusal);
  session.why.add({ kind: "repair", what: refusal.what, why });
};

/** What to say of a model that no table and no setting knows; undefined for a known one. */
export const unknownModel = ({ id, known }: ModelInfo): string | undefined => {
  if (known || id === offlineModel) return undefined;
  const near = nearest(id, [...modelAliases, ...pickerModels]);
  return `"${id}" is no model that is known here.${near ? ` Did you mean ${near}?` : ""}`;
};

/**
 * Switches the session's model; saves it as the default when asked, an unknown one never. Throws an Error for the person.
 * Returns the label.
 */
export const setModel = async (session: Session, name: string | null, save: boolean, emit: Emit): Promise<string> => {
  const model = resolved(session, name ?? "default");
  const doubt = unknownModel(model);
  const credentials = await sessionCredentials(session);
  if (model.id !== offlineModel && credentials.kind === "none")
    throw new Error(
      `${doubt ? `${doubt} ` : ""}There are no credentials for ${model.label}. Set ANTHROPIC_API_KEY, or stay with the offline model.`,
    );
  const before = session.provider.id;
  session.model = model;
  session.provider = providerFor(session, model, credentials);
  session.apiKeySource = credentials.source;
  session.system = undefined; // it names the model
  if (session.provider.id !== before) forgetThinking(session, `the provider changed from ${before}`);
  if (doubt) await emit({ type: "notice", level: "warning", text: `${doubt} It is used for this session only.` });
  if (save && !doubt) await updateUserSettings(session.places.configDir, { model: name ?? undefined });
  return model.label;
};

/** Rows of the model picker. */
export const modelRows = (session: Session) => {
  const row = (value: string, info: ModelInfo) => ({
    value,
    label: info.label,
    description: `${info.id} · ${Math.round(info.contextWindow / 1000)}k context`,
    current: info.id === session.model.id,
  });
  const rows = pickerModels.map((id) => row(id, resolved(session, id)));
  if (rows.some(({ current }) => current)) return rows;
  return [row(session.model.id, session.model), ...rows];
};
