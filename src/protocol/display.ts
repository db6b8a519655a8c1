// Display: what a tool result looks like to the eye, as plain data. One renderer a kind in components/displays/.
import { z } from "zod";

/** One hunk of a unified diff; `lines` begin with " ", "-" or "+". Line numbers are 1-based. */
export const hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof hunk>;

export const todo = z.object({
  id: z.string(),
  subject: z.string(),
  activeForm: z.string().optional(),
  status: z.enum(["pending", "in_progress", "completed"]),
  blockedBy: z.array(z.string()).optional(),
  owner: z.string().optional(),
});
export type Todo = z.infer<typeof todo>;

export const display = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string(), summary: z.string().optional() }),
  z.object({
    kind: z.literal("lines"),
    path: z.string().optional(),
    startLine: z.number(),
    lines: z.array(z.string()),
    totalLines: z.number().optional(),
    summary: z.string().optional(),
  }),
  z.object({
    kind: z.literal("diff"),
    path: z.string(),
    change: z.enum(["create", "update"]),
    added: z.number(),
    removed: z.number(),
    hunks: z.array(hunk),
  }),
  z.object({ kind: z.literal("paths"), paths: z.array(z.string()), total: z.number(), truncated: z.boolean() }),
  z.object({
    kind: z.literal("matches"),
    text: z.string(),
    files: z.number(),
    matches: z.number(),
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal("shell"),
    command: z.string(),
    output: z.string(),
    exitCode: z.number().nullable(),
    interrupted: z.boolean(),
    timedOut: z.boolean().optional(),
    totalBytes: z.number().optional(),
    outputPath: z.string().optional(),
  }),
  z.object({ kind: z.literal("todos"), todos: z.array(todo) }),
  z.object({ kind: z.literal("markdown"), text: z.string(), title: z.string().optional() }),
  z.object({ kind: z.literal("image"), label: z.string(), mediaType: z.string(), bytes: z.number() }),
  z.object({
    kind: z.literal("agent"),
    agentId: z.string(),
    agentType: z.string(),
    text: z.string(),
    toolUses: z.number(),
    tokens: z.number(),
    durationMs: z.number(),
  }),
  z.object({ kind: z.literal("json"), value: z.unknown() }),
]);
export type Display = z.infer<typeof display>;
