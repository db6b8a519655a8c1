// Whether a folder is trusted, what trusting it would grant, and remembering the answer.
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { decodeText, isFailure, parseObject } from "./jsonc.js";
import { loadSettings } from "./load.js";
import { gitRoot, projectFolders } from "./project.js";
import { changeProjectEntry, projectEntry, readState, type StateFile, updateState } from "./state-file.js";

export interface TrustPlace {
  cwd: string;
  home: string;
  state: StateFile;
}

const real = (path: string): Promise<string> => realpath(path).catch(() => path); // a missing folder is compared as written

/** The folder that trust is kept for: the repository's root, else the folder itself. */
export const trustFolder = async ({ cwd, home }: Pick<TrustPlace, "cwd" | "home">): Promise<string> => {
  const folder = await real(cwd);
  const root = await gitRoot(folder);
  // A repository of the whole home folder must not make everything below it trusted.
  return root && root !== (await real(home)) ? root : folder;
};

/** Whether a person has trusted this folder before. The home folder is never remembered. */
export const isTrusted = async (place: TrustPlace): Promise<boolean> => {
  const folder = await trustFolder(place);
  if (folder === (await real(place.home))) return false;
  const { data } = await readState(place.state);
  return projectEntry(data, folder).hasTrustDialogAccepted === true;
};

/** Remembers a yes. Returns "session" for the home folder, whose trust the caller keeps in memory only. */
export const acceptTrust = async (place: TrustPlace): Promise<"stored" | "session"> => {
  const folder = await trustFolder(place);
  if (folder === (await real(place.home))) return "session";
  await updateState(place.state, (data) => changeProjectEntry(data, folder, { hasTrustDialogAccepted: true }));
  return "stored";
};

/** Names of the servers in a folder's `.mcp.json`; none when the file is missing or broken. */
const mcpServersOf = async (folder: string): Promise<string[]> => {
  const bytes = await readFile(join(folder, ".mcp.json")).catch(() => undefined); // the file is optional
  const parsed = bytes && parseObject(decodeText(bytes) ?? "");
  if (!parsed || isFailure(parsed)) return [];
  const servers = parsed.value.mcpServers;
  return typeof servers === "object" && servers !== null ? Object.keys(servers) : [];
};

/** What the folder would grant or start once trusted, one line each, for the trust dialog. */
export const folderGrants = async (place: TrustPlace & { configDir: string }): Promise<string[]> => {
  const { held } = await loadSettings({ ...place, env: {}, isTrusted: false, sources: ["project", "local"] });
  const servers = (await Promise.all((await projectFolders(place.cwd)).map(mcpServersOf))).flat();
  return [...new Set([...held.map(({ line }) => line), ...servers.map((name) => `MCP server ${name} (.mcp.json)`)])];
};
