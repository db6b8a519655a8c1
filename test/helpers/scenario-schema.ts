// What a scenario file may say. Every mistake in a file is reported with its place.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const fileSpec = z.union([
  z.string(),
  z.strictObject({ link: z.string() }),
  z.strictObject({ content: z.string(), mode: z.number() }),
  z.strictObject({ base64: z.string() }),
]);
/** Files that are made when the scenario starts. */
const madeSpec = z.union([
  z.strictObject({ pdf: z.array(z.string()).describe("a text for each page") }),
  z.strictObject({ png: z.string().regex(/^\d+x\d+$/) }),
]);
export type MadeSpec = z.infer<typeof madeSpec>;
const sitePage = z.union([
  z.string().describe("HTML"),
  z.strictObject({
    body: z.string().default(""),
    type: z.string().optional(),
    status: z.number().optional(),
    location: z.string().optional(),
  }),
]);
const files = z.record(z.string(), fileSpec);
const settings = z.record(z.string(), z.unknown());

const hold = z.strictObject({
  at: z.string().regex(/^(start|afterStart|beforeStop|block:\d+|delta:\d+)$/),
  until: z.union([z.number(), z.string()]).describe("milliseconds, or a name that a user step releases"),
});
const thinkingPart = z.strictObject({ text: z.string(), signature: z.string().optional() });

/** One answer of the model: the YAML face of ModelAnswer. */
export const answerSchema = z.strictObject({
  thinking: z.union([z.string(), thinkingPart, z.array(thinkingPart)]).optional(),
  redacted: z.string().optional(),
  say: z.string().optional(),
  calls: z.array(z.record(z.string(), z.unknown())).optional(),
  sayAfter: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  stop: z.string().optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
  status: z.number().optional(),
  error: z.strictObject({ type: z.string().optional(), message: z.string().optional() }).optional(),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  deltaChars: z.number().optional(),
  deltaDelayMs: z.number().optional(),
  holds: z.array(hold).optional(),
  errorEvent: z
    .strictObject({ afterDeltas: z.number(), type: z.string().optional(), message: z.string().optional() })
    .optional(),
  resetAfterBytes: z.number().optional(),
  stallAfterDeltas: z.number().optional(),
  endAfterDeltas: z.number().optional(),
  pingEvery: z.number().optional(),
  raw: z.union([z.string(), z.array(z.string())]).optional(),
  json: z.boolean().optional(),
  cutSeed: z.number().optional(),
  gzip: z.boolean().optional(),
  cutInputAfter: z.number().optional(),
});

const oneOrMore = z.union([z.string(), z.array(z.string())]);
/** A text contains this; "/pattern/flags" is a regular expression; the object says more at once. */
const textMatcher = z.union([
  z.string(),
  z.strictObject({
    equals: z.string().optional(),
    contains: oneOrMore.optional(),
    notContains: oneOrMore.optional(),
    matches: z.string().optional(),
  }),
]);
export type TextMatcher = z.infer<typeof textMatcher>;

/** One step of the person at the terminal. Order inside a step: as the fields stand here. */
const step = z.strictObject({
  turn: z.number().optional().describe("wait until this request (1-based) has arrived"),
  see: oneOrMore.optional().describe("wait until the screen shows all of these"),
  notSee: oneOrMore.optional().describe("wait until the screen shows none of these"),
  mode: z.string().optional().describe("not a wait: a note for the reader"),
  wait: z.number().optional().describe("milliseconds; only where time itself is the subject"),
  write: files.optional().describe("files changed from outside"),
  release: z.string().optional().describe("opens the gate of this name"),
  resize: z
    .string()
    .regex(/^\d+x\d+$/)
    .optional(),
  type: z.string().optional(),
  paste: z.string().optional(),
  press: oneOrMore.optional(),
  mouse: z.strictObject({ button: z.string(), x: z.number(), y: z.number() }).optional(),
  signal: z.string().regex(/^SIG/).optional(),
  exit: z.number().optional().describe("wait for the end with this code"),
  restart: z.array(z.string()).optional().describe("end the program if it runs, start it again with these arguments"),
});
export type Step = z.infer<typeof step>;

const requestMatcher = z.strictObject({
  turn: z.number().optional().describe("1-based; default: the next one in the list"),
  contains: oneOrMore.optional().describe("anywhere in the body's texts"),
  notContains: oneOrMore.optional(),
  system: textMatcher.optional(),
  last: textMatcher.optional().describe("texts of the last message"),
  first: textMatcher.optional().describe("texts of the first message"),
  messages: z.number().optional().describe("number of messages"),
  tools: z.array(z.string()).optional().describe("offered"),
  notTools: z.array(z.string()).optional(),
  body: z.record(z.string(), z.unknown()).optional().describe("part of the body"),
  headers: z.record(z.string(), z.string()).optional(),
});
export type RequestMatcher = z.infer<typeof requestMatcher>;

export const scenarioSchema = z.strictObject({
  title: z.string(),
  needs: z.literal("sandbox").optional().describe("skipped, with the reason, where the sandbox does not work"),
  files: files.default({}),
  homeFiles: files.default({}),
  made: z.record(z.string(), madeSpec).default({}).describe("PDF documents and pictures of the project"),
  site: z.record(z.string(), sitePage).optional().describe("pages by path of a web server on loopback: {{site}}"),
  settings: settings.optional(),
  projectSettings: settings.optional(),
  localSettings: settings.optional(),
  trusted: z.boolean().default(true),
  git: z.boolean().default(false),
  credentials: z.boolean().default(true).describe("false: no key in the environment and no server"),
  env: z.record(z.string(), z.string()).default({}),
  args: z.array(z.string()).default([]),
  prompt: z.string().optional().describe("short for args -p PROMPT"),
  stdin: z.string().optional(),
  mode: z.enum(["headless", "pty"]).optional().describe("default: pty when there are user steps"),
  size: z
    .string()
    .regex(/^\d+x\d+$/)
    .default("80x24"),
  timeoutMs: z.number().default(60_000),
  model: z.array(answerSchema).default([]),
  side: z.array(z.strictObject({ when: textMatcher, answers: z.array(answerSchema) })).default([]),
  promptLimit: z.number().optional(),
  strict: z.boolean().default(true),
  user: z.array(step).default([]),
  expect: z
    .strictObject({
      exit: z.number().optional(),
      stdout: textMatcher.optional(),
      stderr: textMatcher.optional(),
      json: z.record(z.string(), z.unknown()).optional().describe("part of stdout as one JSON value"),
      lines: z.array(z.record(z.string(), z.unknown())).optional().describe("parts of JSON lines, in this order"),
    })
    .default({}),
  after: z
    .strictObject({
      files: z.record(z.string(), textMatcher).default({}).describe("a string is the whole content"),
      absent: z.array(z.string()).default([]),
      turns: z.number().optional(),
      results: z
        .array(z.enum(["ok", "error", "denied"]))
        .optional()
        .describe("one for each call, in order"),
      requests: z.array(requestMatcher).default([]),
      side: z.array(requestMatcher).optional().describe("requests of another kind, all of them, in order"),
      transcript: z.array(z.record(z.string(), z.unknown())).default([]).describe("parts of lines, in this order"),
      mode: z.string().optional().describe("last permission mode in the transcript"),
      settings: z.record(z.string(), z.unknown()).optional().describe("part of the user's settings.json"),
      localSettings: z.record(z.string(), z.unknown()).optional(),
    })
    .default({ files: {}, absent: [], requests: [], transcript: [] }),
});
export type Scenario = z.infer<typeof scenarioSchema> & { name: string };

/** Replaces {{project}}, {{home}}, {{config}} and {{site}} in all texts of a value. */
export const fillIn = <T>(value: T, names: Record<string, string>): T => {
  if (typeof value === "string")
    return value.replace(/\{\{(project|home|config|site)\}\}/g, (_, name: string) => names[name] ?? "") as T;
  if (Array.isArray(value)) return value.map((item) => fillIn(item, names)) as T;
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [fillIn(k, names), fillIn(v, names)])) as T;
  return value;
};

/** Reads a scenario file. Throws an Error that names file, field and mistake. */
export const loadScenario = (file: string): Scenario => {
  let raw: unknown;
  try {
    raw = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: not YAML: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = scenarioSchema.safeParse(raw);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `  ${path.join(".") || "(top)"}: ${message}`);
    throw new Error(`${file} is no scenario:\n${faults.join("\n")}`);
  }
  return { ...parsed.data, name: basename(file).replace(/\.ya?ml$/, "") };
};
