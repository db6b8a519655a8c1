// The shape of the `hooks` setting: events, groups with a matcher, handlers.
import { z } from "zod";

/** Events a hook may hang on. */
export const hookEvents = [
  "SessionStart",
  "Setup",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "StopFailure",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "ConfigChange",
  "CwdChanged",
  "FileChanged",
  "InstructionsLoaded",
  "MessageDisplay",
  "PreCompact",
  "PostCompact",
  "SessionEnd",
  "WorktreeCreate",
  "WorktreeRemove",
  "DirectoryAdded",
  "PreSkillShellCommand",
  "Elicitation",
  "ElicitationResult",
  "PreModelSwitch",
  "PostModelSwitch",
] as const;
export type HookEvent = (typeof hookEvents)[number];

const texts = z.array(z.string());

/** What a handler of each type cannot do without. */
const needed: Readonly<Record<string, "command" | "url" | "prompt">> = {
  command: "command",
  http: "url",
  prompt: "prompt",
  agent: "prompt",
};

const hookHandler = z
  .looseObject({
    type: z.string(),
    command: z.string().min(1).optional(),
    args: texts.optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    allowedEnvVars: texts.optional(),
    prompt: z.string().optional(),
    model: z.string().optional(),
    continueOnBlock: z.boolean().optional(),
    if: z.string().optional(),
    timeout: z.number().positive().optional(),
    statusMessage: z.string().optional(),
    async: z.boolean().optional(),
    asyncRewake: z.boolean().optional(),
    onFailure: z.enum(["continue", "block"]).optional(),
  })
  .superRefine((handler, context) => {
    const field = needed[handler.type];
    if (field !== undefined && handler[field] === undefined)
      context.addIssue({ code: "custom", path: [field], message: `a ${handler.type} hook needs "${field}"; dropped` });
  });
export type HookHandler = z.infer<typeof hookHandler>;

const hookGroup = z.looseObject({ matcher: z.string().optional(), hooks: z.array(hookHandler) });
export type HookGroup = z.infer<typeof hookGroup>;

/** The setting: groups of handlers by event. */
export const hooksByEvent = z.record(z.string(), z.array(hookGroup));
export type HooksByEvent = z.infer<typeof hooksByEvent>;
