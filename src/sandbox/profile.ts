// Turns a policy into the configuration of the sandbox runtime.
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import type { SandboxPolicy, SandboxSettings } from "./policy.js";

/** What the runtime is told. `scratch` must be writable for the shell's own bookkeeping. */
export const sandboxProfile = (
  policy: SandboxPolicy,
  { settings, ripgrep, scratch }: { settings: SandboxSettings; ripgrep: string; scratch?: string },
): SandboxRuntimeConfig => {
  const network = settings.network as Record<string, unknown> | undefined;
  const bool = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
  const list = (value: unknown): string[] | undefined =>
    Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
  return {
    network: {
      allowedDomains: policy.allowedHosts,
      deniedDomains: policy.deniedHosts,
      strictAllowlist: bool(network?.strictAllowlist),
      allowUnixSockets: list(network?.allowUnixSockets),
      allowAllUnixSockets: bool(network?.allowAllUnixSockets),
      allowLocalBinding: bool(network?.allowLocalBinding),
    },
    filesystem: {
      denyRead: policy.denyRead,
      allowRead: policy.allowRead,
      allowWrite: scratch === undefined ? policy.allowWrite : [...policy.allowWrite, scratch],
      denyWrite: policy.denyWrite,
    },
    enableWeakerNestedSandbox: settings.enableWeakerNestedSandbox,
    ripgrep: { command: ripgrep },
    ...(settings.bwrapPath ? { bwrapPath: settings.bwrapPath } : {}),
    ...(settings.socatPath ? { socatPath: settings.socatPath } : {}),
  };
};
