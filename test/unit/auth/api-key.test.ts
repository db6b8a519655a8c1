import { describe, expect, it } from "vitest";
import {
  currentCredentials,
  type FindOptions,
  findCredentials,
  keyResponse,
  keyTail,
  withKeyResponse,
} from "../../../src/auth/api-key.js";
import { createHelperKey, helperTtlMs } from "../../../src/auth/helper.js";

const find = (options: Partial<Omit<FindOptions, "keychain">> & { stored?: string } = {}) =>
  findCredentials({
    env: {},
    settings: {},
    keychain: {
      get: async () => options.stored,
      set: async () => "file",
      place: async () => "file",
      remove: async () => false,
    },
    runHelper: async () => "sk-helper\n",
    now: () => 0,
    ...options,
  });

describe("credentials", () => {
  const env = { ANTHROPIC_AUTH_TOKEN: "token", ANTHROPIC_API_KEY: " sk-env " };

  it("are not a stored key with a line break in it, which is said", async () => {
    expect(await find({ stored: "sk-one\nsk-two" })).toEqual({
      kind: "none",
      source: "none",
      problem: "The stored key cannot be used. A key has no blanks or line breaks in it.",
    });
  });

  it("come from the token, the key, the helper, the stored key, in this order", async () => {
    const settings = { apiKeyHelper: "cmd" };
    expect(await find({ env, settings, stored: "s" })).toEqual({
      kind: "authToken",
      source: "ANTHROPIC_AUTH_TOKEN",
      authToken: "token",
    });
    expect(await find({ env: { ANTHROPIC_API_KEY: " sk-env " }, settings, stored: "s" })).toEqual({
      kind: "apiKey",
      source: "ANTHROPIC_API_KEY",
      apiKey: "sk-env",
    });
    const helper = await find({ settings, stored: "s" });
    expect(helper).toMatchObject({ kind: "helper", source: "apiKeyHelper" });
    expect(await currentCredentials(helper)).toEqual({ apiKey: "sk-helper" });
    expect(await find({ stored: "s" })).toEqual({ kind: "apiKey", source: "/login managed key", apiKey: "s" });
    expect(await find()).toEqual({ kind: "none", source: "none" });
  });

  it("a key that the person did not approve is passed over", async () => {
    expect(await find({ env: { ANTHROPIC_API_KEY: "k" }, isApproved: () => false, stored: "s" })).toMatchObject({
      apiKey: "s",
    });
  });
});

describe("approval of keys from the environment", () => {
  const key = `sk-ant-${"a".repeat(40)}-the-last-characters`;

  it("remembers the last 20 characters, and a later word replaces an earlier one", () => {
    const yes = withKeyResponse({ other: 1, customApiKeyResponses: { approved: ["x"] } }, key, true);
    expect(yes).toEqual({ other: 1, customApiKeyResponses: { approved: ["x", "-the-last-characters"], rejected: [] } });
    const no = withKeyResponse(yes, key, false);
    expect(no.customApiKeyResponses).toEqual({ approved: ["x"], rejected: [keyTail(key)] });
    expect([keyResponse({}, key), keyResponse(yes, key), keyResponse(no, key)]).toEqual([
      "unknown",
      "approved",
      "rejected",
    ]);
  });
});

describe("a key helper", () => {
  const helper = (outputs: (string | Error)[], clock = { now: 0 }) => {
    let runs = 0;
    const key = createHelperKey({
      command: "cmd",
      ttlMs: 1000,
      now: () => clock.now,
      run: async () => {
        const output = outputs[Math.min(runs, outputs.length - 1)]!;
        runs += 1;
        if (output instanceof Error) throw output;
        return output;
      },
    });
    return { key, runs: () => runs, clock };
  };

  it("runs once for calls at the same time, again when the key is old or refused", async () => {
    const { key, runs, clock } = helper(["one\n", "two\n", "three\n"]);
    expect(await Promise.all([key.get(), key.get()])).toEqual(["one", "one"]);
    clock.now = 999;
    expect(await key.get()).toBe("one");
    clock.now = 1000;
    expect(await key.get()).toBe("two");
    key.expire();
    expect(await key.get()).toBe("three");
    expect(runs()).toBe(3);
  });

  it("says what is wrong without showing what was printed, and can be tried again", async () => {
    await expect(helper([new Error("exit code 3: no vault")]).key.get()).rejects.toThrow(
      "apiKeyHelper failed (exit code 3: no vault).",
    );
    await expect(helper([" \n"]).key.get()).rejects.toThrow("printed nothing");
    const twice = helper(["secret and more", "sk-1"]);
    await expect(twice.key.get()).rejects.toThrow(
      /^apiKeyHelper printed more than a key: it must print the key alone\.$/,
    );
    expect(await twice.key.get()).toBe("sk-1");
  });

  it("keeps a key for five minutes unless told otherwise", () => {
    expect([
      helperTtlMs({}),
      helperTtlMs({ CLAUDE_CODE_API_KEY_HELPER_TTL_MS: "0" }),
      helperTtlMs({ CLAUDE_CODE_API_KEY_HELPER_TTL_MS: "x" }),
    ]).toEqual([300_000, 0, 300_000]);
  });
});
