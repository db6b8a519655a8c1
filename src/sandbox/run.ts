// Runs shells inside the sandbox: looks whether it works here, starts it with the first command, asks about new hosts.
// The runtime is loaded late: it is large, and most sessions never need it.
import { randomBytes } from "node:crypto";
import { runProcess } from "../platform/process.js";
import type { Confine } from "../platform/shell.js";
import type { SandboxPolicy, SandboxSettings } from "./policy.js";
import { sandboxProfile } from "./profile.js";

export interface SandboxState {
  isAvailable: boolean;
  /** What is missing or does not work, one line each. */
  problems: string[];
  /** A command that installs what is missing; absent where there is none to name. */
  install?: string;
}

export interface SandboxOptions {
  settings: SandboxSettings;
  /** The policy now: asked for each command. */
  policy(): SandboxPolicy;
  /** Path of ripgrep, which looks for protected files. */
  ripgrep: string;
  /** A command wants to reach a host that no list names. */
  askHost(host: string, port: number | undefined): Promise<boolean>;
  tmpDir: string;
}

export interface Sandbox {
  confine: Confine;
  /** Ends proxies and takes away what the sandbox left. */
  close(): Promise<void>;
}

const loadRuntime = async () => (await import("@anthropic-ai/sandbox-runtime")).SandboxManager;

const installLine = (platform: NodeJS.Platform): string | undefined =>
  platform === "linux" ? "sudo apt-get install -y bubblewrap socat   (or the same packages of your system)" : undefined;

const probeMs = 5000;

/** Whether bubblewrap may make its namespaces here: many containers forbid it. */
const probe = async (bwrap: string): Promise<string | undefined> => {
  const args = ["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "true"];
  const { exitCode, stderr, error } = await runProcess(bwrap, args, { timeoutMs: probeMs });
  if (exitCode === 0) return undefined;
  const why = error ? error.message : stderr.trim().split("\n")[0] || `exit code ${exitCode}`;
  return `bubblewrap cannot make a sandbox here (${why})`;
};

/** Looks whether commands can be put into a sandbox here. Starts nothing that stays. */
export const checkSandbox = async (settings: SandboxSettings, ripgrep: string): Promise<SandboxState> => {
  const { platform } = process;
  const manager = await loadRuntime();
  if (!manager.isSupportedPlatform())
    return {
      isAvailable: false,
      problems: [`there is no sandbox for ${platform} here (Linux, WSL2 and macOS have one)`],
    };
  const { errors } = await manager.checkDependenciesAsync({ command: ripgrep });
  const problems = [...errors];
  if (problems.length === 0 && platform === "linux") {
    const failure = await probe(settings.bwrapPath ?? "bwrap");
    if (failure) return { isAvailable: false, problems: [failure] };
  }
  if (problems.length === 0) return { isAvailable: true, problems: [] };
  const install = installLine(platform);
  return { isAvailable: false, problems, ...(install ? { install } : {}) };
};

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The sandbox of a session. Nothing runs before the first command. */
export const createSandbox = (options: SandboxOptions): Sandbox => {
  const { settings, ripgrep, tmpDir } = options;
  const answers = new Map<string, Promise<boolean>>();
  let running: Promise<Awaited<ReturnType<typeof loadRuntime>>> | undefined;
  // One question for a host, however many connections wait for it; a no holds for the rest of the session too.
  const mayReach = (host: string, port: number | undefined): Promise<boolean> => {
    const known = answers.get(host);
    if (known) return known;
    const asked = options.askHost(host, port).catch(() => false);
    answers.set(host, asked);
    return asked;
  };
  const start = async () => {
    const manager = await loadRuntime();
    await manager.initialize(sandboxProfile(options.policy(), { settings, ripgrep }), ({ host, port }) =>
      mayReach(host, port),
    );
    await manager.waitForNetworkInitialization();
    return manager;
  };
  return {
    confine: async (argv, { scratch, cwd, signal }) => {
      running ??= start();
      running.catch(() => {
        running = undefined; // the next command tries anew
      });
      const manager = await running;
      const profile = sandboxProfile(options.policy(), { settings, ripgrep, scratch });
      manager.updateConfig(profile);
      // Only our own fixed words pass through this line; the command's bytes come by a descriptor.
      const line = `export TMPDIR=${quote(tmpDir)}; mkdir -p "$TMPDIR"; exec ${argv.map(quote).join(" ")}`;
      const wrapped = await manager.wrapWithSandboxArgv(line, "bash", profile, signal, cwd, {
        commandId: randomBytes(16).toString("base64url"),
        commandText: "",
      });
      return { argv: wrapped.argv, onEnd: () => manager.cleanupAfterCommand() };
    },
    close: async () => {
      const manager = await running?.catch(() => undefined); // it never came up: nothing to end
      running = undefined;
      await manager?.reset();
    },
  };
};
