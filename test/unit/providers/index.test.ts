import { afterEach, describe, expect, it } from "vitest";
import { cachingFor, parseCustomHeaders } from "../../../src/providers/anthropic-body.js";
import { createProvider, providers } from "../../../src/providers/index.js";
import { finish, request, sendSse, sse, start, startWire, textBlock, type Wire } from "./wire.js";

let wire: Wire | undefined;
afterEach(async () => {
  await wire?.close();
  wire = undefined;
});

describe("the choice of a provider", () => {
  it("is by the model's name, the offline model first", () => {
    const common = { env: {}, version: "3.0.0", credentials: async () => ({}) };
    expect(providers.map(({ id }) => id)).toEqual(["offline", "anthropic"]);
    expect(["offline", "claude-opus-5-5", "anything"].map((model) => createProvider({ ...common, model }).id)).toEqual([
      "offline",
      "anthropic",
      "anthropic",
    ]);
  });

  it("takes host, headers, betas, cache time and extra fields from the environment", async () => {
    wire = await startWire(sendSse(sse(start, ...textBlock, ...finish)));
    const provider = createProvider({
      model: "claude-sonnet-5-5",
      env: {
        ANTHROPIC_BASE_URL: wire.baseUrl,
        ANTHROPIC_CUSTOM_HEADERS: "X-Team: blue: sky\nbroken\n: none",
        ANTHROPIC_BETAS: "one, two",
        CLAUDE_CODE_EXTRA_BODY: '{"service_tier":"auto"}',
        ENABLE_PROMPT_CACHING_1H: "1",
      },
      version: "3.0.0",
      credentials: async () => ({ apiKey: "k" }),
      betas: ["two", "three"],
    });
    const asked = request({ system: [{ type: "text", text: "S", cache_control: { type: "ephemeral" } }] });
    for await (const _ of provider.stream(asked));
    expect(wire.seen[0]?.headers).toMatchObject({
      "user-agent": "claude-terminal-agent/3.0.0",
      "x-team": "blue: sky",
      "anthropic-beta": "one,two,three",
    });
    expect(wire.seen[0]?.body).toMatchObject({
      service_tier: "auto",
      system: [{ cache_control: { type: "ephemeral", ttl: "1h" } }],
    });
  });
});

describe("settings from the environment", () => {
  it("caching: an hour, five minutes, or off for all or one family", () => {
    const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "1"]));
    expect([
      cachingFor({}, "claude-opus-5-5"),
      cachingFor(on("ENABLE_PROMPT_CACHING_1H"), "x"),
      cachingFor(on("ENABLE_PROMPT_CACHING_1H", "FORCE_PROMPT_CACHING_5M"), "x"),
      cachingFor(on("DISABLE_PROMPT_CACHING", "ENABLE_PROMPT_CACHING_1H"), "x"),
      cachingFor(on("DISABLE_PROMPT_CACHING_OPUS"), "claude-opus-5-5"),
      cachingFor(on("DISABLE_PROMPT_CACHING_OPUS"), "claude-sonnet-5-5"),
    ]).toEqual(["5m", "1h", "5m", "off", "off", "5m"]);
  });

  it("custom headers: one a line, what has no name is left out", () => {
    expect(parseCustomHeaders("A: 1\r\nB:2:3\nnothing\n: x\n")).toEqual({ A: "1", B: "2:3" });
    expect(parseCustomHeaders(undefined)).toEqual({});
  });
});
