// Finds and reads the instruction files that apply to a folder: CLAUDE.md, CLAUDE.local.md, AGENTS.md and the user's own.
import { dirname, join } from "node:path";
import { readTextFile } from "../platform/text-file.js";

export type InstructionKind = "user" | "project" | "local";
export type AgentsMd = "fallback" | "always" | "off";

export interface Instruction {
  path: string;
  kind: InstructionKind;
  text: string;
}
export interface SkippedInstruction {
  path: string;
  reason: string;
}

export interface InstructionOptions {
  cwd: string;
  home: string;
  /** ~/.claude or $CLAUDE_CONFIG_DIR. */
  configDir: string;
  /** Whether AGENTS.md is read: where a folder has no CLAUDE.md, always, or never. */
  agentsMd: AgentsMd;
  /** Globs on absolute paths (setting `claudeMdExcludes`). */
  excludes: readonly string[];
  /** Kinds to read (`--setting-sources`); all when absent. */
  sources?: readonly InstructionKind[];
}

const maxBytes = 4 * 1024 * 1024; // spec: larger files are skipped

/** Every folder from the file-system root down to `cwd`. */
const foldersDownTo = (cwd: string): string[] => {
  const folders = [cwd];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) folders.unshift(dirname(folder));
  return folders;
};

interface Candidate {
  path: string;
  kind: InstructionKind;
  /** A CLAUDE.md that makes AGENTS.md of the same folder superfluous, or that AGENTS.md itself. */
  role: "claude" | "agents" | "other";
}

const candidatesIn = (folder: string, { home, configDir }: InstructionOptions): Candidate[] => {
  const dotClaude = join(folder, ".claude");
  // The user's own file is read as such, never as a project file of the home folder.
  const isUsers = folder === home || dotClaude === configDir;
  return [
    { path: join(folder, "CLAUDE.md"), kind: "project", role: "claude" },
    ...(isUsers ? [] : [{ path: join(dotClaude, "CLAUDE.md"), kind: "project", role: "claude" } as const]),
    { path: join(folder, "AGENTS.md"), kind: "project", role: "agents" },
    { path: join(folder, "CLAUDE.local.md"), kind: "local", role: "other" },
  ];
};

const isExcludedBy = async (globs: readonly string[]): Promise<(path: string) => boolean> => {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import("picomatch");
  return picomatch([...globs], { dot: true });
};

/**
 * The instruction files for a folder, broadest first: the user's, then for each folder from the root down its CLAUDE.md,
 * .claude/CLAUDE.md, AGENTS.md (as the setting says) and CLAUDE.local.md. A file reached twice counts once. Files that exist but were
 * not read are in `skipped` with the reason. Never throws.
 */
export const loadInstructions = async (
  options: InstructionOptions,
): Promise<{ files: Instruction[]; skipped: SkippedInstruction[] }> => {
  const { sources = ["user", "project", "local"], agentsMd } = options;
  const isExcluded = await isExcludedBy(options.excludes);
  const files: Instruction[] = [];
  const skipped: SkippedInstruction[] = [];
  const seen = new Set<string>();

  const take = async (candidates: Candidate[]): Promise<void> => {
    const wanted = candidates.filter(({ path, kind }) => sources.includes(kind) && !isExcluded(path));
    const read = await Promise.all(wanted.map(({ path }) => readTextFile(path, maxBytes)));
    const hasClaude = wanted.some(({ role }, index) => role === "claude" && read[index]?.state !== "missing");
    for (const [index, { path, kind, role }] of wanted.entries()) {
      const file = read[index];
      if (!file || file.state === "missing") continue;
      if (role === "agents" && (agentsMd === "off" || (agentsMd === "fallback" && hasClaude))) continue;
      if (seen.has(file.realPath) || isExcluded(file.realPath)) continue;
      seen.add(file.realPath);
      if (file.state === "skipped") skipped.push({ path, reason: file.reason });
      else files.push({ path, kind, text: stripComments(file.text).trim() });
    }
  };

  await take([{ path: join(options.configDir, "CLAUDE.md"), kind: "user", role: "claude" }]);
  for (const folder of foldersDownTo(options.cwd)) await take(candidatesIn(folder, options));
  return { files: files.filter(({ text }) => text !== ""), skipped };
};

const fenceMark = /^ {0,3}(`{3,}|~{3,})/;

/** Markdown without its block-level HTML comments; those inside fenced code stay. */
export const stripComments = (markdown: string): string => {
  if (!markdown.includes("<!--")) return markdown;
  const kept: string[] = [];
  let fence: string | undefined;
  let isInComment = false;
  for (const line of markdown.split("\n")) {
    let rest = line;
    if (!isInComment) {
      const mark = fenceMark.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
        kept.push(line);
        continue;
      }
      if (mark) fence = mark;
      if (!/^ {0,3}<!--/.test(line)) {
        kept.push(line);
        continue;
      }
      rest = line.slice(line.indexOf("<!--") + 4);
      isInComment = true;
    }
    const end = rest.indexOf("-->");
    if (end < 0) continue;
    isInComment = false;
    if (rest.slice(end + 3).trim()) kept.push(rest.slice(end + 3));
  }
  return kept.join("\n");
};
