// `claude mcp login` and `claude mcp logout`: logins of http servers from the shell.
import { sanitise } from "../lib/sanitise.js";
import { loginStore } from "../mcp/auth.js";
import type { ServerEntry } from "../mcp/config.js";
import { login } from "../mcp/login.js";
import type { RemoteConfig } from "../mcp/server-config.js";
import { openUrl } from "../platform/open-url.js";
import { configDir } from "../platform/paths.js";
import type { SubcommandIo } from "./subcommands.js";

const remoteConfig = ({ name, config, problem }: ServerEntry): RemoteConfig => {
  if (!config) throw new Error(`${name}: ${problem}`);
  if (config.type === "stdio") throw new Error(`${name} is no http server: there is nothing to log in to.`);
  return config;
};

const storeOf = (entry: ServerEntry, io: SubcommandIo) =>
  loginStore(entry.name, remoteConfig(entry).url, { configDir: configDir(io.env) });

/** Logs in to a server: in the browser, or with an address to open. Throws an Error for the person. */
export const logIn = async (entry: ServerEntry, hasBrowser: boolean, io: SubcommandIo): Promise<void> => {
  const config = remoteConfig(entry);
  if (entry.standing !== "ready")
    throw new Error(`${entry.name} may not be used here (${entry.standing}): allow it first, in a session with /mcp.`);
  const show = (url: string): void => {
    const isOpen = hasBrowser && openUrl(url, io.env);
    io.out(
      `${isOpen ? "The login page opens in your browser. If it does not" : "To log in"}, open\n${sanitise(url)}\n`,
    );
  };
  await login({ config, env: io.env, store: storeOf(entry, io), show, signal: new AbortController().signal });
};

/** Forgets a login. Says whether there was one. */
export const logOut = async (entry: ServerEntry, io: SubcommandIo): Promise<string> =>
  (await storeOf(entry, io).forget())
    ? `The login of ${entry.name} is forgotten.`
    : `There was no login of ${entry.name}.`;
