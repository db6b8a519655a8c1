// Plays a session with the offline model: sends requests, runs small stand-ins for the tools on a real folder, feeds results back.
// biome-ignore-all lint/correctness/noComponentHookFactories: tools are no components
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContentBlock, Message, ToolUseBlock } from "../../../../src/protocol/messages.js";
import { createOffline } from "../../../../src/providers/offline/offline.js";
import type { ModelRequest, Purpose, StreamEvent } from "../../../../src/providers/provider.js";

export interface Result {
  text: string;
  isError?: boolean;
}
export type Handler = (input: Record<string, string>) => Result;

export interface Session {
  cwd: string;
  messages: Message[];
  /** All calls so far as "Name argument". */
  calls: string[];
  /** Text of each assistant turn. */
  said: string[];
  handlers: Record<string, Handler>;
  /** Plays one run: the prompt, then turn after turn until the model stops asking. */
  run(prompt: string): Promise<string>;
}

export const denied: Handler = () => ({ text: "The user rejected this call. Stop and wait.", isError: true });

const workTools = (cwd: string): Record<string, Handler> => ({
  Read: ({ file_path = "" }) => {
    if (!existsSync(file_path)) return { text: `File not found: ${file_path}`, isError: true };
    const lines = readFileSync(file_path, "utf8").replace(/\n$/, "").split("\n");
    return { text: lines.map((line, index) => `${index + 1}\t${line}`).join("\n") };
  },
  Write: ({ file_path = "", content = "" }) => {
    mkdirSync(dirname(file_path), { recursive: true });
    writeFileSync(file_path, content);
    return { text: `Wrote ${file_path}` };
  },
  Edit: ({ file_path = "", old_string = "", new_string = "", replace_all }) => {
    const before = readFileSync(file_path, "utf8");
    const found = before.split(old_string).length - 1;
    if (found === 0) return { text: "old_string was not found", isError: true };
    if (found > 1 && !replace_all) return { text: `old_string occurs ${found} times`, isError: true };
    writeFileSync(file_path, before.split(old_string).join(new_string));
    return { text: "Edited" };
  },
  Glob: ({ pattern = "", path }) => {
    const files = readdirSync(path ?? cwd, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = pattern === "*" ? files.map(({ name }) => join(path ?? cwd, name)) : [];
    return { text: names.join("\n") || "No files found" };
  },
  Grep: ({ pattern = "" }) => {
    const hits = readdirSync(cwd, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) =>
        readFileSync(join(cwd, name), "utf8")
          .split("\n")
          .flatMap((line, index) => (new RegExp(pattern).test(line) ? [`${name}:${index + 1}:${line}`] : [])),
      );
    return { text: hits.join("\n") || "No matches found" };
  },
  Bash: ({ command = "", run_in_background }) =>
    run_in_background
      ? {
          text: "The command runs in the background as task b1. Its output goes to /tmp/b1 (read it with Read, or with TaskOutput).",
        }
      : { text: execFileSync("bash", ["-c", command], { cwd, encoding: "utf8" }) },
});

export const planTools = (cwd: string, decide: () => Result): Record<string, Handler> => ({
  EnterPlanMode: () => ({ text: `Plan mode is on. Plan file: \`${join(cwd, "plan.md")}\`` }),
  ExitPlanMode: decide,
});

export const eventsOf = async (stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
};

/** Puts stream events together to the blocks of a message. */
export const assemble = (events: readonly StreamEvent[]): ContentBlock[] => {
  const blocks: ContentBlock[] = [];
  const json: string[] = [];
  for (const event of events) {
    if (event.type === "content_block_start") {
      blocks[event.index] = structuredClone(event.content_block) as ContentBlock;
      json[event.index] = "";
    } else if (event.type === "content_block_delta") {
      const block = blocks[event.index];
      if (block?.type === "text") block.text += String(event.delta.text);
      else json[event.index] += String(event.delta.partial_json);
    } else if (event.type === "content_block_stop") {
      const block = blocks[event.index];
      if (block?.type === "tool_use") block.input = JSON.parse(json[event.index] || "{}") as Record<string, unknown>;
    }
  }
  return blocks;
};

export const requestFor = (
  cwd: string,
  messages: Message[],
  tools: string[],
  purpose: Purpose = "main",
): ModelRequest => ({
  model: "offline",
  system: [{ type: "text", text: `# Environment\n- Working directory: ${cwd}\n- Platform: linux` }],
  messages,
  tools: tools.map((name) => ({ name, description: name, input_schema: { type: "object" } })),
  maxTokens: 16_384,
  signal: new AbortController().signal,
  sessionId: "session",
  purpose,
});

const argumentOf = ({ input }: ToolUseBlock, cwd: string): string =>
  String(input.file_path ?? input.command ?? input.pattern ?? input.subject ?? "").replace(`${cwd}/`, "");

/** A session in `cwd` with file tools and Bash, plus the handlers given. */
export const startSession = (cwd: string, handlers: Record<string, Handler> = {}): Session => {
  const provider = createOffline({ delayMs: 0 });
  const session: Session = {
    cwd,
    messages: [],
    calls: [],
    said: [],
    handlers: { ...workTools(cwd), ...handlers },
    run: async (prompt) => {
      session.messages.push({ role: "user", content: prompt });
      const from = session.said.length;
      for (let turn = 0; turn < 40; turn += 1) {
        const request = requestFor(cwd, session.messages, Object.keys(session.handlers));
        const blocks = assemble(await eventsOf(provider.stream(request)));
        session.messages.push({ role: "assistant", content: blocks });
        session.said.push(blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"));
        const calls = blocks.filter((block): block is ToolUseBlock => block.type === "tool_use");
        if (calls.length === 0) return session.said.slice(from).filter(Boolean).join("\n\n");
        session.messages.push({
          role: "user",
          content: calls.map((call) => {
            session.calls.push(`${call.name} ${argumentOf(call, cwd)}`.trim());
            const { text, isError } = session.handlers[call.name]!(call.input as Record<string, string>);
            return { type: "tool_result", tool_use_id: call.id, content: text, is_error: isError ?? false };
          }),
        });
      }
      throw new Error("the run did not end");
    },
  };
  return session;
};
