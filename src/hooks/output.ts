// What a hook prints or answers, read strictly: JSON of a known shape, or plain text.
import { z } from "zod";
import { permissionUpdate } from "../protocol/permission.js";
import type { HookEvent } from "../settings/schema/hooks.js";

const object = z.record(z.string(), z.unknown());

const hookSpecificOutput = z.looseObject({
  hookEventName: z.string().optional(),
  additionalContext: z.string().optional(),
  permissionDecision: z.enum(["allow", "deny", "ask", "defer"]).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: object.optional(),
  updatedToolOutput: z.unknown().optional(),
  sessionTitle: z.string().optional(),
  initialUserMessage: z.string().optional(),
  suppressOriginalPrompt: z.boolean().optional(),
  decision: z
    .union([
      z.looseObject({
        behavior: z.literal("allow"),
        updatedInput: object.optional(),
        updatedPermissions: z.array(permissionUpdate).optional(),
      }),
      z.looseObject({
        behavior: z.literal("deny"),
        message: z.string().optional(),
        interrupt: z.boolean().optional(),
      }),
    ])
    .optional(),
});

const hookOutput = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(["approve", "block"]).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: hookSpecificOutput.optional(),
});
export type HookOutput = z.infer<typeof hookOutput>;

export type ParsedOutput = { kind: "json"; output: HookOutput } | { kind: "plain" } | { kind: "bad"; why: string };

/** Reads the answer of a handler. Never throws. */
export const parseOutput = (text: string, event: HookEvent): ParsedOutput => {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return { kind: "plain" };
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { kind: "bad", why: "its output begins with { and is not JSON" };
  }
  const parsed = hookOutput.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { kind: "bad", why: `its JSON does not fit: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` };
  }
  const named = parsed.data.hookSpecificOutput?.hookEventName;
  if (named !== undefined && named !== event)
    return { kind: "bad", why: `its hookSpecificOutput is for ${named}, not for ${event}` };
  return { kind: "json", output: parsed.data };
};
