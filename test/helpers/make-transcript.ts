// Writes a session of any length to disk, in the transcript's JSON lines, without running a model.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectSlug } from "../../src/platform/paths.js";

export interface TranscriptSpec {
  configDir: string;
  cwd: string;
  /** User and assistant messages together. Every fifth pair is a tool call with its result. */
  messages: number;
  sessionId?: string;
  /** Characters of an assistant text. Default 200: ten thousand messages stay below a window of a million tokens. */
  textChars?: number;
  version?: string;
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const sentence = "The filter compares dates by their value and keeps the first and the last day. ";
const prose = (n: number, chars: number): string =>
  `Message ${n}. ${sentence.repeat(Math.ceil(chars / sentence.length))}`.slice(0, chars).trimEnd();

const usage = {
  input_tokens: 1000,
  output_tokens: 50,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Writes the session file and returns its id and path. */
export const makeTranscript = (spec: TranscriptSpec): { sessionId: string; file: string } => {
  const { configDir, cwd, messages, sessionId = uuid(999_999), textChars = 200, version = "3.0.0" } = spec;
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const start = Date.parse("2026-11-01T10:00:00Z");
  const add = (type: "user" | "assistant", fields: Record<string, unknown>): string => {
    const id = uuid(lines.length + 1);
    const common = {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId,
      version,
      gitBranch: "",
      entrypoint: "cli",
      type,
      uuid: id,
      timestamp: new Date(start + lines.length * 1000).toISOString(),
    };
    lines.push(JSON.stringify({ ...common, ...fields }));
    parentUuid = id;
    return id;
  };
  const assistant = (n: number, block: Record<string, unknown>, stop_reason: string) =>
    add("assistant", {
      message: {
        id: `msg_${n}`,
        type: "message",
        role: "assistant",
        model: "claude-sonnet-5-5",
        content: [block],
        stop_reason,
        stop_sequence: null,
        usage,
      },
      requestId: `req_${n}`,
    });
  for (let n = 1; lines.length < messages; n++) {
    add("user", { message: { role: "user", content: prose(n, 60) }, permissionMode: "default" });
    if (n % 5 === 0 && lines.length + 3 <= messages) {
      const id = `toolu_${n}`;
      const source = assistant(n, { type: "tool_use", id, name: "Bash", input: { command: `echo ${n}` } }, "tool_use");
      add("user", {
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: String(n) }] },
        toolUseResult: { stdout: String(n), stderr: "", interrupted: false, isImage: false },
        sourceToolAssistantUUID: source,
      });
    }
    if (lines.length < messages) assistant(n * 10_000, { type: "text", text: prose(n, textChars) }, "end_turn");
  }
  const file = join(configDir, "projects", projectSlug(cwd), `${sessionId}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return { sessionId, file };
};
