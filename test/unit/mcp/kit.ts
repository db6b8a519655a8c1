// Servers for tests: entries that start the fixture servers, and a manager over them that ends with the test.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ServerEntry } from "../../../src/mcp/config.js";
import { createMcp, type Mcp, type McpOptions } from "../../../src/mcp/manager.js";
import { parseServer } from "../../../src/mcp/server-config.js";

const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);

/** An entry as a list of servers would give it. */
export const entryOf = (name: string, raw: Record<string, unknown>): ServerEntry => {
  const parsed = parseServer(raw, {});
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { name, scope: "user", file: "test.json", raw, config: parsed, standing: "ready" };
};

/** How to start the well-behaved server. */
export const demoServer = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [fixture("mcp-server.mjs")],
  env,
});

/** How to start the bad one. */
export const rawServer = (...how: string[]) => ({ command: process.execPath, args: [fixture("mcp-raw.mjs"), ...how] });

/** A manager over these servers, started. */
export const startMcp = (
  servers: Record<string, Record<string, unknown>>,
  options: Partial<McpOptions> & { extraEnv?: Record<string, string> } = {},
): Mcp => {
  const mcp = createMcp({
    entries: Object.entries(servers).map(([name, raw]) => entryOf(name, raw)),
    cwd: process.cwd(),
    projectDir: process.cwd(),
    env: () => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...options.extraEnv }),
    version: "0.0.0-test",
    roots: () => [process.cwd()],
    now: () => Date.now(),
    ...options,
  });
  onTestFinished(() => mcp.close());
  mcp.start();
  return mcp;
};

/** Resolves when a condition over the servers holds. */
export const until = (mcp: Mcp, holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (holds()) resolve();
    };
    mcp.onChange(look);
    look();
  });
