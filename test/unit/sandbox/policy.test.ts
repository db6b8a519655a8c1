// What the sandbox lets a command touch, from settings, rules and the protected list.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PolicyInput, protectedPaths, sandboxPolicy } from "../../../src/sandbox/policy.js";
import { sandboxProfile } from "../../../src/sandbox/profile.js";

const noRules = { allowWrite: [], denyWrite: [], denyRead: [], allowedHosts: [], deniedHosts: [] };
const input = (changes: Partial<PolicyInput> = {}): PolicyInput => ({
  workingDirs: ["/p"],
  home: "/home/me",
  tmpDir: "/tmp/session",
  layers: [],
  network: {},
  rules: noRules,
  ownFiles: ["/home/me/.claude", "/home/me/.claude.json"],
  ...changes,
});

test("without settings the working folders and the session's folder are writable, and no host is allowed", () => {
  const { allowWrite, denyRead, allowedHosts, denyWrite } = sandboxPolicy(input());
  expect({ allowWrite, denyRead, allowedHosts }).toEqual({
    allowWrite: ["/p", "/tmp/session"],
    denyRead: [],
    allowedHosts: [],
  });
  expect(denyWrite).toEqual(
    expect.arrayContaining(["/p/.claude", "/p/.mcp.json", "/home/me/.bashrc", "/home/me/.claude.json"]),
  );
});

test("of a repository only hooks and configuration are closed; where there is none, none may be made", () => {
  const dir = mkdtempSync(join(tmpdir(), "policy-"));
  const closed = () => protectedPaths({ workingDirs: [dir], home: "/h" });
  expect(closed()).toContain(join(dir, ".git"));
  mkdirSync(join(dir, ".git"));
  expect(closed()).not.toContain(join(dir, ".git"));
  expect(closed()).toEqual(expect.arrayContaining([join(dir, ".git/hooks"), join(dir, ".git/config")]));
});

test("paths of settings hang under their layer's folder, rules add theirs, and hosts are joined", () => {
  const policy = sandboxPolicy(
    input({
      layers: [
        { filesystem: { allowWrite: ["build", "~/cache"], denyRead: ["/etc/secret"] }, base: "/p" },
        { filesystem: { allowWrite: ["./x"] }, base: "/home/me/.claude" },
      ],
      network: { allowedDomains: ["a.org", "*"], deniedDomains: ["b.org"] },
      rules: { ...noRules, allowWrite: ["/data"], allowedHosts: ["c.org"] },
    }),
  );
  expect(policy.allowWrite).toEqual([
    "/p",
    "/tmp/session",
    "/p/build",
    "/home/me/cache",
    "/home/me/.claude/x",
    "/data",
  ]);
  expect(policy.denyRead).toEqual(["/etc/secret"]);
  expect({ allowed: policy.allowedHosts, denied: policy.deniedHosts }).toEqual({
    allowed: ["a.org", "c.org"],
    denied: ["b.org"],
  });
});

test("the profile carries the policy and the shell's scratch folder", () => {
  const profile = sandboxProfile(sandboxPolicy(input()), { settings: {}, ripgrep: "rg", scratch: "/tmp/scratch" });
  expect(profile.filesystem.allowWrite).toEqual(["/p", "/tmp/session", "/tmp/scratch"]);
  expect(profile.network).toMatchObject({ allowedDomains: [], deniedDomains: [] });
});
