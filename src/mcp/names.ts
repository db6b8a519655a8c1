// Names of what servers offer, as the model and the person know them: mcp__server__tool, within the API's limits.
import { createHash } from "node:crypto";

const mostChars = 128; // the API: ^[a-zA-Z0-9_-]{1,128}$

const plain = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_");

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

const cut = (name: string, whole: string): string =>
  name.length <= mostChars ? name : `${name.slice(0, mostChars - 9)}_${hashOf(whole)}`;

/** What the names of a server's tools begin with. */
export const serverPrefix = (server: string): string => `mcp__${plain(server)}__`;

/** The name of a tool (or prompt) for the model. Not unique by itself: see `uniqueNames`. */
export const fullName = (server: string, name: string): string =>
  cut(`${serverPrefix(server)}${plain(name)}`, `${server}\0${name}`);

/**
 * A full name for each tool of a server's list, in its order. The same name twice is one tool, the first; names that
 * only become equal by being cleaned are told apart by a hash.
 */
export const uniqueNames = (server: string, names: readonly string[]): Map<string, string> => {
  const taken = new Set<string>();
  const found = new Map<string, string>();
  for (const name of names) {
    if (found.has(name)) continue;
    const wished = fullName(server, name);
    const full = taken.has(wished) ? `${wished.slice(0, mostChars - 9)}_${hashOf(`${server}\0${name}`)}` : wished;
    taken.add(full);
    found.set(name, full);
  }
  return found;
};
