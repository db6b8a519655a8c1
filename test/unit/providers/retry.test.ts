import { describe, expect, it } from "vitest";
import { connectionFailure, retryAfterMs } from "../../../src/providers/errors.js";
import { longestRetryAfterMs, maxRetries, retryDelay, shouldRetry } from "../../../src/providers/retry.js";

const error = (retryAfter?: number) => ({ retryAfterMs: retryAfter, retryable: true });

describe("the wait before another try", () => {
  it("doubles from 1 s to 30 s", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 500].map((attempt) => retryDelay(attempt, error(), () => 0))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("adds up to a second at random", () => {
    expect(retryDelay(0, error(), () => 0.999_999)).toBe(2000);
    expect(retryDelay(6, error(), () => 0.5)).toBe(30_500);
  });

  it("F160 is what the server asks for, up to a cap", () => {
    expect([retryDelay(3, error(7000)), retryDelay(0, error(0)), retryDelay(0, error(9e9))]).toEqual([
      7000,
      0,
      longestRetryAfterMs,
    ]);
  });
});

describe("whether to try again", () => {
  it("headless: ten times, or as often as the environment says", () => {
    const headless = { env: {}, isInteractive: false };
    expect([shouldRetry(9, error(), headless), shouldRetry(10, error(), headless)]).toEqual([true, false]);
    expect(shouldRetry(2, error(), { env: { CLAUDE_CODE_MAX_RETRIES: "2" }, isInteractive: true })).toBe(false);
    expect([
      maxRetries({}),
      maxRetries({ CLAUDE_CODE_MAX_RETRIES: "0" }),
      maxRetries({ CLAUDE_CODE_MAX_RETRIES: "x" }),
    ]).toEqual([10, 0, 10]);
  });

  it("with a person watching: until they stop it", () => {
    expect(shouldRetry(99, error(), { env: {}, isInteractive: true })).toBe(true);
  });

  it("never for an error that stays", () => {
    expect(shouldRetry(0, { retryable: false }, { env: {}, isInteractive: true })).toBe(false);
  });
});

describe("reading of headers and transport errors", () => {
  const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? null });
  it("retry-after in seconds, as a date, in milliseconds, or nonsense", () => {
    const now = Date.parse("2026-11-30T12:00:00Z");
    expect(retryAfterMs(headers({ "retry-after": "1.5" }))).toBe(1500);
    expect(retryAfterMs(headers({ "retry-after": "Mon, 30 Nov 2026 12:00:09 GMT" }), now)).toBe(9000);
    expect(retryAfterMs(headers({ "retry-after-ms": "250", "retry-after": "9" }))).toBe(250);
    expect(retryAfterMs(headers({ "retry-after": "soon" }))).toBeUndefined();
    expect(retryAfterMs(undefined)).toBeUndefined();
  });

  it("F166 a certificate error names the issuer and the variable to set, and is not retried", () => {
    const cause = Object.assign(new Error("x"), {
      code: "SELF_SIGNED_CERT_IN_CHAIN",
      cert: { issuer: { CN: "Corp Root" } },
    });
    const failure = connectionFailure(new TypeError("fetch failed", { cause }), "api.example.com");
    expect(failure.retryable).toBe(false);
    expect(failure.message).toContain("issued by Corp Root");
    expect(failure.message).toContain("NODE_EXTRA_CA_CERTS");
  });
});
