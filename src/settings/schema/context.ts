// Settings of memory, context, environment and files kept on disk.
import { z } from "zod";
import { flag, setting, text, texts } from "./entry.js";

export const contextSettings = {
  autoCompactEnabled: setting(flag, true, "Compact the conversation by itself when the window fills."),
  autoCompactWindow: setting(
    z.int().min(100_000).max(1_000_000),
    undefined,
    "Tokens at which the window counts as full; the model's own window by default.",
  ),
  autoMemoryEnabled: setting(flag, true, "Keep a memory of the project across sessions."),
  autoMemoryDirectory: setting(text, undefined, "Folder of the project's memory."),
  claudeMdExcludes: setting(texts, [], "Instruction files that are not loaded: patterns or absolute paths."),
  env: setting(z.record(z.string(), z.string()), {}, "Environment of the session and its children."),
  fileCheckpointingEnabled: setting(flag, true, "Keep the state of files before each change, for rewinding."),
  plansDirectory: setting(
    text,
    undefined,
    "Folder of plan files, relative to the project; ~/.claude/plans by default.",
  ),
  cleanupPeriodDays: setting(z.int().min(1), 30, "Days after which old sessions are removed."),
  skillListingBudgetFraction: setting(
    z.number().positive().max(1),
    0.01,
    "Share of the window that the list of skills may take.",
  ),
  skillListingMaxDescChars: setting(z.int().min(1), 1536, "Longest description in the list of skills."),
};
