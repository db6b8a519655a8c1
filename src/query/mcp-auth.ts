// Logins of a session's MCP servers.
import type { Emit } from "../execution/context.js";
import { sanitise } from "../lib/sanitise.js";
import { loginStore } from "../mcp/auth.js";
import { openUrl } from "../platform/open-url.js";
import { childEnv, type Session } from "./session.js";

const storeOf = ({ places }: Session, server: string, url: string) =>
  loginStore(server, url, { configDir: places.configDir });

const remoteConfig = (session: Session, server: string) => {
  const entry = session.mcp?.servers.entry(server);
  if (!entry?.config || entry.config.type === "stdio")
    throw new Error(`${server} is no http server: there is nothing to log in to.`);
  return entry.config;
};

/** Logs in to a server in the browser and connects it. Says what came of it; throws an Error for the person. */
export const loginToServer = async (
  session: Session,
  server: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<string> => {
  const config = remoteConfig(session, server);
  const { login } = await import("../mcp/login.js");
  const show = (url: string): void => {
    const isOpen = openUrl(url, session.options.env);
    const head = isOpen ? "The login page opens in your browser. If it does not" : "To log in";
    void emit({ type: "notice", level: "info", text: `${head}, open ${sanitise(url)}` });
  };
  await login({ config, env: childEnv(session), store: storeOf(session, server, config.url), show, signal });
  const status = await session.mcp?.servers.reconnect(server);
  return status?.state === "connected"
    ? `Logged in to ${server}: connected.`
    : `Logged in to ${server}, but it is not connected: ${status?.error ?? status?.state}`;
};

/** Forgets a login. Says whether there was one. */
export const logoutFromServer = async (session: Session, server: string): Promise<string> => {
  const config = remoteConfig(session, server);
  const hadOne = await storeOf(session, server, config.url).forget();
  await session.mcp?.servers.reconnect(server);
  return hadOne ? `The login of ${server} is forgotten.` : `There was no login of ${server}.`;
};
