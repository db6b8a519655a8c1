// Keeps secrets (the API key, logins of MCP servers): in the system's keychain, or where there is none in .credentials.json with mode 0600. Never logged.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { readTextFile } from "../platform/text-file.js";
import { writeFileWhole } from "../platform/write-file.js";

export type StoredIn = "keychain" | "file";

export interface Keychain {
  /** The stored key, wherever it is. Never throws. */
  get(): Promise<string | undefined>;
  /** Stores the key and says where. Throws when neither place can be written. */
  set(key: string): Promise<StoredIn>;
  /** Where a key would be stored now. Never throws. */
  place(): Promise<StoredIn>;
  /** Removes it from both places. True when there was one. */
  remove(): Promise<boolean>;
}

/** The part of a system keychain that we use. */
export interface SecretStore {
  get(): Promise<string | undefined>;
  set(secret: string): Promise<void>;
  remove(): Promise<boolean>;
}

export interface KeychainOptions {
  /** Each settings folder has a key of its own. */
  configDir: string;
  /** Opens the system's keychain; undefined: there is none. Replaced in tests. */
  openStore?: (account: string) => Promise<SecretStore | undefined>;
  /** Which secret. */
  secret?: SecretName;
}

interface SecretName {
  /** What the account in the system's keychain begins with. */
  account: string;
  /** Its field in the file. */
  field: string;
}

const apiKeyName: SecretName = { account: "api-key", field: "apiKey" };

const service = "claude-terminal-agent";
const patienceMs = 3000; // a locked keychain may wait for a dialog that nobody sees
const maxFileBytes = 1024 * 1024;

/** The system's keychain through @napi-rs/keyring, loaded here only. */
export const openSystemStore = async (account: string): Promise<SecretStore | undefined> => {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Without the pin Linux may fall back to the kernel's keyring, which forgets everything at the next boot.
    const entry = new AsyncEntry(service, account, { linux: { store: "secret-service" } });
    const soon = () => AbortSignal.timeout(patienceMs);
    return {
      get: async () => (await entry.getPassword(soon())) || undefined,
      set: (secret) => entry.setPassword(secret, soon()),
      remove: async () => Boolean(await entry.deletePassword(soon())),
    };
  } catch {
    return undefined; // no prebuilt binary or no keychain on this system: the file serves
  }
};

const credentialsPath = (configDir: string): string => join(configDir, ".credentials.json");

const readFields = async (configDir: string): Promise<Record<string, unknown>> => {
  const file = await readTextFile(credentialsPath(configDir), maxFileBytes);
  if (file.state !== "ok") return {};
  try {
    const parsed: unknown = JSON.parse(file.text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {}; // damaged: nothing to keep
  }
};

const writeFields = async (configDir: string, fields: Record<string, unknown>): Promise<void> => {
  const { chmod, mkdir } = await import("node:fs/promises");
  await mkdir(configDir, { recursive: true, mode: 0o700 });
  const path = credentialsPath(configDir);
  await writeFileWhole(path, Buffer.from(`${JSON.stringify(fields, undefined, 2)}\n`), { mode: 0o600 });
  await chmod(path, 0o600); // a file that was there keeps its mode otherwise
};

/** Closes the file of the key to others when it is ours and open to them. True when it was. Never throws. */
export const closeKeyFile = async (configDir: string): Promise<boolean> => {
  const { chmod, stat } = await import("node:fs/promises");
  try {
    const path = credentialsPath(configDir);
    const { mode, uid } = await stat(path);
    if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return false;
    await chmod(path, 0o600);
    return true;
  } catch {
    return false; // there is no such file
  }
};

const fileStore = (configDir: string, field: string): SecretStore => ({
  get: async () => {
    const secret = (await readFields(configDir))[field];
    return typeof secret === "string" && secret ? secret : undefined;
  },
  set: async (secret) => writeFields(configDir, { ...(await readFields(configDir)), [field]: secret }),
  remove: async () => {
    const { [field]: secret, ...rest } = await readFields(configDir);
    if (secret === undefined) return false;
    await writeFields(configDir, rest);
    return true;
  },
});

/** The store of one secret of a config folder, the API key by default: keychain first, file second. */
export const createKeychain = ({
  configDir,
  openStore = openSystemStore,
  secret = apiKeyName,
}: KeychainOptions): Keychain => {
  const suffix = createHash("sha256").update(configDir).digest("hex").slice(0, 8);
  const account = `${secret.account}-${suffix}`;
  const file = fileStore(configDir, secret.field);
  const system = () => openStore(account);
  // A keychain that cannot be reached counts as empty: the file is asked next.
  const quietly = async <T>(work: Promise<T> | undefined): Promise<T | undefined> => work?.catch(() => undefined);

  return {
    get: async () => (await quietly(file.get())) ?? (await quietly((await system())?.get())),
    set: async (key) => {
      const store = await system();
      const stored = await quietly(store?.set(key).then(() => store.get()));
      if (stored === key) {
        await quietly(file.remove());
        return "keychain";
      }
      await file.set(key);
      return "file";
    },
    place: async () => {
      const store = await system();
      const answers = store?.get().then(() => true);
      return (await quietly(answers)) ? "keychain" : "file";
    },
    remove: async () => {
      const removed = await Promise.all([file.remove(), quietly((await system())?.remove())]);
      return removed.some(Boolean);
    },
  };
};
