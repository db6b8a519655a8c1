import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type InstructionOptions, loadInstructions, stripComments } from "../../../src/prompt/instructions.js";

const world = (files: Record<string, string | Buffer>) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "instructions-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  mkdirSync(join(root, "home/repo/sub"), { recursive: true });
  const load = async (options: Partial<InstructionOptions> = {}) => {
    const { files: found, skipped } = await loadInstructions({
      cwd: join(root, "home/repo/sub"),
      home: join(root, "home"),
      configDir: join(root, "home/.claude"),
      agentsMd: "fallback",
      excludes: [],
      ...options,
    });
    const short = (path: string) => path.replace(`${root}/`, "");
    return {
      files: found.map(({ path, kind, text }) => `${kind} ${short(path)}: ${text}`),
      skipped: skipped.map(({ path, reason }) => `${short(path)}: ${reason}`),
    };
  };
  return { root, load };
};

describe("instruction files", () => {
  it("come broadest first, the user's before all, local ones behind their folder's", async () => {
    const { load } = world({
      "home/.claude/CLAUDE.md": "user",
      "home/CLAUDE.md": "above",
      "home/repo/CLAUDE.md": "repo",
      "home/repo/.claude/CLAUDE.md": "dot",
      "home/repo/CLAUDE.local.md": "local",
      "home/repo/sub/CLAUDE.md": "sub",
      "home/repo/sub/deeper/CLAUDE.md": "not yet",
    });
    expect((await load()).files).toEqual([
      "user home/.claude/CLAUDE.md: user",
      "project home/CLAUDE.md: above",
      "project home/repo/CLAUDE.md: repo",
      "project home/repo/.claude/CLAUDE.md: dot",
      "local home/repo/CLAUDE.local.md: local",
      "project home/repo/sub/CLAUDE.md: sub",
    ]);
  });

  it("F156 AGENTS.md serves where a folder has no CLAUDE.md, as the setting says", async () => {
    const { load } = world({
      "home/repo/AGENTS.md": "agents",
      "home/repo/sub/AGENTS.md": "sub agents",
      "home/repo/sub/CLAUDE.md": "sub claude",
    });
    expect((await load()).files).toEqual([
      "project home/repo/AGENTS.md: agents",
      "project home/repo/sub/CLAUDE.md: sub claude",
    ]);
    expect((await load({ agentsMd: "always" })).files).toEqual([
      "project home/repo/AGENTS.md: agents",
      "project home/repo/sub/CLAUDE.md: sub claude",
      "project home/repo/sub/AGENTS.md: sub agents",
    ]);
    expect((await load({ agentsMd: "off" })).files).toEqual(["project home/repo/sub/CLAUDE.md: sub claude"]);
  });

  it("F156 a file reached twice through a symlink is read once", async () => {
    const { root, load } = world({ "home/repo/AGENTS.md": "agents" });
    symlinkSync("AGENTS.md", join(root, "home/repo/CLAUDE.md"));
    symlinkSync("../AGENTS.md", join(root, "home/repo/sub/CLAUDE.md"));
    expect((await load({ agentsMd: "always" })).files).toEqual(["project home/repo/CLAUDE.md: agents"]);
  });

  it("F146 a byte-order mark is dropped, UTF-16 is named", async () => {
    const { load } = world({
      "home/repo/CLAUDE.md": "\uFEFFhello",
      "home/repo/sub/CLAUDE.md": Buffer.from("\uFEFFhello", "utf16le"),
    });
    expect(await load()).toEqual({
      files: ["project home/repo/CLAUDE.md: hello"],
      skipped: ["home/repo/sub/CLAUDE.md: encoded in UTF-16; save it as UTF-8"],
    });
  });

  it("a file over 4 MiB and a folder of that name are not read, empty ones are left out", async () => {
    const { root, load } = world({ "home/repo/CLAUDE.md": "x".repeat(4 * 1024 * 1024 + 1), "home/CLAUDE.md": " \n" });
    mkdirSync(join(root, "home/repo/sub/CLAUDE.md"));
    expect(await load()).toEqual({ files: [], skipped: ["home/repo/CLAUDE.md: larger than 4194304 bytes"] });
  });

  it("excluded paths and kinds that are switched off are left out", async () => {
    const { root, load } = world({
      "home/.claude/CLAUDE.md": "user",
      "home/repo/CLAUDE.md": "repo",
      "home/repo/sub/CLAUDE.md": "sub",
    });
    expect((await load({ excludes: [`${root}/home/repo/CLAUDE.md`], sources: ["project"] })).files).toEqual([
      "project home/repo/sub/CLAUDE.md: sub",
    ]);
  });
});

describe("HTML comments", () => {
  it("are removed as blocks, not inside code or within a line", () => {
    const markdown =
      "a\n<!-- one -->\n<!-- two\nlines --> rest\nb <!-- kept -->\n```\n<!-- code -->\n```\n~~~~\n```\n<!-- still code -->\n~~~~\nc";
    expect(stripComments(markdown)).toBe(
      "a\n rest\nb <!-- kept -->\n```\n<!-- code -->\n```\n~~~~\n```\n<!-- still code -->\n~~~~\nc",
    );
  });
});
