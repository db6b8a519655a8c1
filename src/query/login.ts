// The question for a key: at the first start and again by /login; and /logout.
import { keyTail, withKeyResponse } from "../auth/api-key.js";
import { removeKey, storedText, storeKey } from "../auth/login.js";
import type { Emit } from "../execution/context.js";
import type { QuestionOf } from "../protocol/questions.js";
import { offlineModel } from "../providers/models.js";
import { updateState } from "../settings/state-file.js";
import { providerFor, resolved, sessionCredentials, sessionKeychain, setModel, wantedModel } from "./models.js";
import type { Session } from "./session.js";

export type KeyChoice =
  | { kind: "left" }
  | { kind: "offline" }
  /** `text`: what was done, for the person. */
  | { kind: "key"; text?: string }
  | { kind: "problem"; text: string };

/** Asks how to reach a model and keeps a typed key. Never throws for what the person does. */
export const askForKey = async (
  session: Session,
  about: Pick<QuestionOf<"start">, "isLogin" | "problem">,
  emit: Emit,
  signal: AbortSignal,
): Promise<KeyChoice> => {
  const { env, cwd } = session.options;
  const envKey = env.ANTHROPIC_API_KEY?.trim();
  const keychain = sessionKeychain(session);
  const foundKey = envKey ? keyTail(envKey).slice(-4) : undefined;
  const keyPlace = await keychain.place();
  const question = { folder: cwd, localModels: [], foundKey, keyPlace, ...about };
  const answer = await session.questions.ask("start", question, emit, signal);
  if (!answer || answer.choice === "leave") return { kind: "left" };
  if (answer.choice === "offline") return { kind: "offline" };
  if (answer.choice === "useFoundKey" && envKey) {
    await updateState(session.places.state, (data) => Object.assign(data, withKeyResponse(data, envKey, true)));
    return { kind: "key" };
  }
  if (answer.choice !== "apiKey" || !answer.apiKey)
    return { kind: "problem", text: "That way of starting is not available here." };
  const stored = await storeKey(keychain, answer.apiKey);
  return stored.ok ? { kind: "key", text: storedText(stored.storedIn) } : { kind: "problem", text: stored.reason };
};

/** The model to talk to once there is a key: the wanted one, after the offline tour the default. */
const modelWithKey = (session: Session): string => {
  if (session.model.id !== offlineModel) return session.model.id;
  const wanted = wantedModel(session);
  return wanted === offlineModel ? "default" : wanted;
};

/** Takes the credentials that are found now. */
const renewProvider = async (session: Session): Promise<string> => {
  const credentials = await sessionCredentials(session);
  session.provider = providerFor(session, resolved(session, session.model.id), credentials);
  session.apiKeySource = credentials.source;
  return credentials.source;
};

/** /login: asks again and uses the new key at once. Returns what to tell the person; throws an Error for them. */
export const login = async (session: Session, emit: Emit, signal: AbortSignal): Promise<string> => {
  const chosen = await askForKey(session, { isLogin: true }, emit, signal);
  if (chosen.kind === "left") return "Nothing was changed.";
  if (chosen.kind === "problem") throw new Error(chosen.text);
  if (chosen.kind === "offline") return `Model: ${await setModel(session, offlineModel, false, emit)}`;
  const label = await setModel(session, modelWithKey(session), false, emit);
  const source = session.apiKeySource;
  const isTyped = chosen.text !== undefined;
  const other = isTyped && source !== "/login managed key" ? ` But ${source} comes first and is used.` : "";
  return `${chosen.text ?? "The key of the environment is used."}${other} Model: ${label}`;
};

/** /logout: forgets the stored key. Returns what to tell the person. */
export const logout = async (session: Session): Promise<string> => {
  const wasStored = await removeKey(sessionKeychain(session));
  const source = await renewProvider(session);
  const what = wasStored ? "The stored key was removed." : "No key was stored.";
  if (source !== "none") return `${what} The session goes on with the key from ${source}.`;
  return session.model.id === offlineModel ? what : `${what} /login asks for another one.`;
};
