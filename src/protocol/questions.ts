// Questions the engine asks a person (or a hook, a host, a classifier) and their answers, by id. The first answer wins.
import { z } from "zod";
import { display } from "./display.js";
import { decisionReason, permissionMode, permissionUpdate, suggestion } from "./permission.js";

const asker = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  /** What its work is, in a few words: tells agents of one name apart. */
  description: z.string().optional(),
});

const permissionQuestion = z.object({
  kind: z.literal("permission"),
  id: z.string(),
  toolUseId: z.string(),
  tool: z.string(),
  /** One line: what the call does, e.g. "Run this command?" is built from it by the dialog. */
  title: z.string(),
  description: z.string().optional(),
  input: z.record(z.string(), z.unknown()),
  /** What exactly would happen: the command, the diff, the content. */
  display: display.optional(),
  reasons: z.array(decisionReason),
  suggestions: z.array(suggestion),
  agent: asker.optional(),
});

const planQuestion = z.object({
  kind: z.literal("plan"),
  id: z.string(),
  toolUseId: z.string(),
  plan: z.string(),
  planPath: z.string(),
  /** Tokens that choice 1 (clear the context) would drop. */
  contextTokens: z.number(),
  /** The mode choice 3 returns to. */
  modeBefore: permissionMode,
});

export const choiceOption = z.object({
  label: z.string(),
  description: z.string().default(""),
  preview: z.string().optional(),
});
export const choiceItem = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(choiceOption),
  multiSelect: z.boolean().default(false),
});
export type ChoiceItem = z.infer<typeof choiceItem>;
const choiceQuestion = z.object({
  kind: z.literal("choice"),
  id: z.string(),
  toolUseId: z.string(),
  questions: z.array(choiceItem),
});

const trustQuestion = z.object({
  kind: z.literal("trust"),
  id: z.string(),
  folder: z.string(),
  /** What the folder would grant or start once trusted, one line each. */
  grants: z.array(z.string()),
});

/** First start without credentials: offline tour, API key, local model, leave. */
const startQuestion = z.object({
  kind: z.literal("start"),
  id: z.string(),
  folder: z.string(),
  localModels: z.array(z.object({ label: z.string(), endpoint: z.string() })),
  /** A key found in the environment that has not been approved yet: its last characters. */
  foundKey: z.string().optional(),
  /** Asked by /login in a session that goes on: leaving keeps everything as it is. */
  isLogin: z.boolean().optional(),
  /** Where a typed key will be kept. */
  keyPlace: z.enum(["keychain", "file"]).optional(),
  /** Why the key that is stored cannot be used. */
  problem: z.string().optional(),
});

/** Something goes round in circles: go on or stop. */
const goOnQuestion = z.object({ kind: z.literal("go_on"), id: z.string(), title: z.string(), detail: z.string() });

/** A server of the project's `.mcp.json`, before it starts for the first time. */
const mcpServerQuestion = z.object({
  kind: z.literal("mcp_server"),
  id: z.string(),
  server: z.string(),
  /** Where it is written and what it runs or asks. */
  detail: z.string(),
});

export const question = z.discriminatedUnion("kind", [
  permissionQuestion,
  planQuestion,
  choiceQuestion,
  trustQuestion,
  startQuestion,
  goOnQuestion,
  mcpServerQuestion,
]);
export type Question = z.infer<typeof question>;
export type QuestionOf<K extends Question["kind"]> = Extract<Question, { kind: K }>;

export const answer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("permission"),
    outcome: z.enum(["allow", "deny"]),
    /** Text for the model: runs and comments, or refuses and says what to do instead. */
    comment: z.string().optional(),
    updates: z.array(permissionUpdate).optional(),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    /** A refusal without comment ends the run (interactive main thread). */
    interrupt: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal("plan"),
    choice: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
    feedback: z.string().optional(),
    editedPlan: z.string().optional(),
  }),
  z.object({
    kind: z.literal("choice"),
    /** Question text → chosen label(s) joined by ", " or free text. Absent when the person dismissed the dialog. */
    answers: z.record(z.string(), z.string()).optional(),
    /** The person would rather talk about it. */
    comment: z.string().optional(),
    /** Nobody was there within the time the person set. */
    isTimeout: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("trust"), trusted: z.boolean() }),
  z.object({
    kind: z.literal("start"),
    choice: z.enum(["offline", "apiKey", "useFoundKey", "local", "leave"]),
    apiKey: z.string().optional(),
    endpoint: z.string().optional(),
  }),
  z.object({ kind: z.literal("go_on"), goOn: z.boolean() }),
  /** `all`: this one and every later one of the project. `later`: not now, it is asked again in the next session. */
  z.object({ kind: z.literal("mcp_server"), choice: z.enum(["use", "all", "refuse", "later"]) }),
]);
export type Answer = z.infer<typeof answer>;
export type AnswerOf<K extends Answer["kind"]> = Extract<Answer, { kind: K }>;
