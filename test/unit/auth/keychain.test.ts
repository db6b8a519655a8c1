import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeKeyFile, createKeychain, type SecretStore } from "../../../src/auth/keychain.js";
import { removeKey, storeKey } from "../../../src/auth/login.js";
import { runHelper } from "../../../src/platform/helper-command.js";

const newDir = () => join(mkdtempSync(join(tmpdir(), "auth-")), "config");
const memoryStore = (): SecretStore & { secret?: string } => ({
  get: async function (this: { secret?: string }) {
    return this.secret;
  },
  set: async function (this: { secret?: string }, secret: string) {
    this.secret = secret;
  },
  remove: async function (this: { secret?: string }) {
    const had = this.secret !== undefined;
    this.secret = undefined;
    return had;
  },
});
const broken: SecretStore = {
  get: () => Promise.reject(new Error("locked")),
  set: () => Promise.reject(new Error("locked")),
  remove: () => Promise.reject(new Error("locked")),
};

describe("the stored key", () => {
  it("has a file that is closed to others when it was open", async () => {
    const configDir = mkdtempSync(join(tmpdir(), "auth-"));
    const path = join(configDir, ".credentials.json");
    expect(await closeKeyFile(configDir)).toBe(false);
    writeFileSync(path, "{}", { mode: 0o644 });
    expect([await closeKeyFile(configDir), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
    expect(await closeKeyFile(configDir)).toBe(false);
  });

  it.each<[string, () => Promise<SecretStore | undefined>]>([
    ["keychain", async () => memoryStore()],
    ["file", async () => undefined],
    ["file", async () => broken],
  ])("would go to the %s", async (place, openStore) => {
    expect(await createKeychain({ configDir: newDir(), openStore }).place()).toBe(place);
  });

  it("goes to the keychain where there is one, and leaves no file", async () => {
    const configDir = newDir();
    const store = memoryStore();
    const keychain = createKeychain({ configDir, openStore: async () => store });
    expect(await storeKey(keychain, "  sk-test-123\n")).toEqual({ ok: true, storedIn: "keychain" });
    expect([store.secret, await keychain.get(), existsSync(configDir)]).toEqual(["sk-test-123", "sk-test-123", false]);
    expect([await removeKey(keychain), await keychain.get(), await removeKey(keychain)]).toEqual([
      true,
      undefined,
      false,
    ]);
  });

  it.each([
    ["no keychain", async () => undefined],
    ["a locked keychain", async () => broken],
    ["a keychain that forgets", async () => ({ ...memoryStore(), set: async () => undefined })],
  ])("goes to a private file with %s, other fields kept", async (_, openStore) => {
    const configDir = newDir();
    const keychain = createKeychain({ configDir, openStore });
    expect(await keychain.set("sk-1")).toBe("file");
    const path = join(configDir, ".credentials.json");
    writeFileSync(path, JSON.stringify({ other: { a: 1 }, apiKey: "sk-1" }));
    expect(await keychain.set("sk-2")).toBe("file");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ other: { a: 1 }, apiKey: "sk-2" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await keychain.get()).toBe("sk-2");
    expect(await keychain.remove()).toBe(true);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ other: { a: 1 } });
  });

  it("has an account of its own for each settings folder", async () => {
    const accounts: string[] = [];
    const openStore = async (account: string) => {
      accounts.push(account);
      return undefined;
    };
    for (const configDir of ["/a", "/b", "/a"]) await createKeychain({ configDir, openStore }).get();
    expect([accounts[0] === accounts[2], accounts[0] === accounts[1]]).toEqual([true, false]);
  });

  it("refuses what cannot be a key, with a reason that does not repeat it", async () => {
    const keychain = createKeychain({ configDir: newDir(), openStore: async () => undefined });
    for (const typed of ["", "two words", "sk-1", "schlüssel-123"]) {
      const result = await storeKey(keychain, typed);
      expect(result.ok).toBe(false);
      if (typed && !result.ok) expect(result.reason).not.toContain(typed);
    }
  });

  it("says so when the folder cannot be written", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "auth-")), "file");
    writeFileSync(file, "");
    const keychain = createKeychain({ configDir: file, openStore: async () => undefined });
    expect(await storeKey(keychain, "sk-test-123")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("could not be stored"),
    });
  });
});

describe("a helper command", () => {
  const helper = (command: string, timeoutMs = 5000) =>
    runHelper({ command, cwd: tmpdir(), env: { PATH: process.env.PATH, A: "1" }, timeoutMs });
  it("gives its output, or its exit code and error text", async () => {
    expect(await helper('echo "key-$A"')).toBe("key-1\n");
    await expect(helper("echo secret; echo no vault >&2; exit 3")).rejects.toThrow(/^exit code 3: no vault$/);
    await expect(helper("sleep 5", 100)).rejects.toThrow("no answer within 0.1 s");
  });
});
