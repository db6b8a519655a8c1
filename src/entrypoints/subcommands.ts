// The subcommands that are built: each loads its own code and nothing of the session or the screen.
import type { Readable } from "node:stream";
import type { Env } from "../platform/paths.js";

export interface SubcommandIo {
  env: Env;
  cwd: string;
  stdin: Readable;
  out(text: string): void;
  err(text: string): void;
}

export type Subcommand = (argv: string[], io: SubcommandIo) => Promise<number>;

const builtSubcommands: ReadonlyMap<string, () => Promise<Subcommand>> = new Map([
  ["audit", async () => (await import("./audit-command.js")).auditCommand],
  ["project", async () => (await import("./project-command.js")).projectCommand],
  ["mcp", async () => (await import("./mcp-command.js")).mcpCommand],
  ["permissions", async () => (await import("./permissions/test-command.js")).permissionsCommand],
]);

/** The subcommand that these arguments name, or undefined: then they are a prompt and flags. */
export const findSubcommand = (argv: readonly string[]): (() => Promise<Subcommand>) | undefined =>
  builtSubcommands.get(argv[0] ?? "");

/** Runs a subcommand on this process and sets its exit code. */
export const runSubcommand = async (load: () => Promise<Subcommand>, argv: readonly string[]): Promise<void> => {
  const run = await load();
  process.exitCode = await run(argv.slice(1), {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
};
