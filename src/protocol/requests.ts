// Requests: everything a user interface may ask of the engine. Each serialises to one JSON line.
import { z } from "zod";
import { imageBlock } from "./message-schemas.js";
import { permissionMode, permissionUpdate } from "./permission.js";
import { sessionScope } from "./pickers.js";

/** A long paste that stands in a prompt as a placeholder. */
export const pastedText = z.object({ id: z.number(), text: z.string() });
export type PastedText = z.infer<typeof pastedText>;

/** A prompt of the history, for searching. */
export const earlierPrompt = z.object({
  /** As it was shown. */
  text: z.string(),
  /** Milliseconds since the epoch; 0: unknown. */
  at: z.number(),
  /** Of this project; of this session. */
  isProject: z.boolean(),
  isSession: z.boolean(),
  pastes: z.array(pastedText).optional(),
});
export type EarlierPrompt = z.infer<typeof earlierPrompt>;
/** What a rewind takes back; the last two fold a part of the conversation into a summary instead. */
export const rewindScope = z.enum(["both", "conversation", "code", "summarise_from", "summarise_up_to"]);
export type RewindScope = z.infer<typeof rewindScope>;

export const request = z.discriminatedUnion("type", [
  /** Opens the session: start question, trust, resume. Sent once, first. */
  z.object({ type: z.literal("open") }),
  /** A prompt, or a slash command when the text begins with "/". */
  z.object({
    type: z.literal("prompt"),
    text: z.string(),
    uuid: z.string().optional(),
    images: z.array(imageBlock).optional(),
    /** What history shows when pastes were collapsed. */
    display: z.string().optional(),
    /** The pastes that `display` collapses, for the history. */
    pastes: z.array(pastedText).optional(),
  }),
  /** A command that the person typed for the shell (`!` in the prompt): runs as it is, unasked. */
  z.object({ type: z.literal("shell"), command: z.string(), uuid: z.string().optional() }),
  z.object({ type: z.literal("set_mode"), mode: permissionMode }),
  z.object({ type: z.literal("set_model"), model: z.string().nullable(), save: z.boolean().default(false) }),
  z.object({ type: z.literal("update_permissions"), updates: z.array(permissionUpdate) }),
  z.object({ type: z.literal("resume"), sessionId: z.string() }),
  /** What stands in the prompt, after a pause in typing; "" when it is empty again. Survives a kill. */
  z.object({ type: z.literal("save_draft"), text: z.string(), pastes: z.array(pastedText).optional() }),
  /** Shows other sessions in the open list: `session_rows` events answer. */
  z.object({ type: z.literal("list_sessions"), scope: sessionScope }),
  /** Names any session; the open list shows it. */
  z.object({ type: z.literal("rename_session"), sessionId: z.string(), name: z.string(), scope: sessionScope }),
  /** Sets members of the user's settings; null removes one. */
  z.object({ type: z.literal("save_settings"), members: z.record(z.string(), z.unknown()) }),
  /** Sets one setting, by its dotted path, to what a person wrote: a `setting_rows` event answers. */
  z.object({ type: z.literal("change_setting"), key: z.string(), value: z.string() }),
  /** Runs the person's status line anew for a screen of this size: a `status_line` event answers. */
  z.object({
    type: z.literal("status_line"),
    columns: z.number(),
    rows: z.number(),
    /** Mode of vim's keys, in capitals; absent with other keys. */
    vim: z.string().optional(),
  }),
  /** Takes a queued prompt back; an `unqueued` event answers if it still waited. */
  z.object({ type: z.literal("unqueue"), uuid: z.string() }),
  /** Moves every running command that can go on in the background there. */
  z.object({ type: z.literal("move_to_background") }),
  /** Shows a background task's output as a picker. */
  z.object({ type: z.literal("show_task"), id: z.string() }),
  /** Asks for paths that fit what is typed: `completions` events follow, better ones as they are found. A new one ends the old one. */
  z.object({
    type: z.literal("complete_path"),
    id: z.string(),
    query: z.string(),
    /** "mention": anywhere in the project; "shell": the entries of the folder that is being named. */
    of: z.enum(["mention", "shell"]),
  }),
  /** Reads an image for the prompt from a file, without `path` from the clipboard; an `image` event answers. */
  z.object({ type: z.literal("read_image"), id: z.string(), path: z.string().optional() }),
  /** Asks for the prompts of all projects, to search them: `prompts` events follow, newest first. A new one ends the old one. */
  z.object({ type: z.literal("read_prompts"), id: z.string() }),
  /** Ends a background task. */
  z.object({ type: z.literal("stop_task"), id: z.string() }),
  /** Stops one subagent; its siblings and the run go on. */
  z.object({ type: z.literal("stop_agent"), agentId: z.string() }),
  /** Does something with an MCP server; a notice says what came of it. */
  z.object({
    type: z.literal("mcp"),
    action: z.enum(["reconnect", "enable", "disable", "login", "logout"]),
    server: z.string(),
  }),
  z.object({ type: z.literal("edit_file"), path: z.string(), content: z.string() }),
  /** Asks for the points a rewind can go back to: a `picker` event answers. */
  z.object({ type: z.literal("rewind_points") }),
  /** Goes back to a point; a `rewind` event tells what happened to files. */
  z.object({
    type: z.literal("rewind"),
    id: z.string(),
    scope: rewindScope,
    /** Only says what would happen to files. */
    isDryRun: z.boolean().optional(),
    /** Takes back files too that somebody else has changed since. */
    takesConflicts: z.boolean().optional(),
  }),
  /** Leaves results and media out of the context (or undoes a fold), by the ids of a context item; answered with a new picker. */
  z.object({ type: z.literal("drop_context"), ids: z.array(z.string()) }),
  /** Ends the session: flush, stop what runs. */
  z.object({ type: z.literal("close"), reason: z.string() }),
]);
export type Request = z.infer<typeof request>;
export type RequestOf<T extends Request["type"]> = Extract<Request, { type: T }>;
