// Monitor: watches what a command prints; every line becomes a message to the model, without waiting for it.
import { join } from "node:path";
import { z } from "zod";
import { createLineFeed } from "../tasks/line-feed.js";
import { shellState } from "../tasks/shells.js";
import { noFolderText, startFolder } from "./bash/working-folder.js";
import { defineTool, type ToolContext, type ToolResult } from "./tool.js";

const defaultTimeoutMs = 300_000; // spec/tools.md
const longestTimeoutMs = 1_800_000;

const input = z.object({
  description: z.string().min(1).describe("What is watched, in a few words: stands in front of each message"),
  command: z.string().optional().describe("The bash command whose lines are the events"),
  timeout_ms: z
    .number()
    .positive()
    .max(longestTimeoutMs)
    .default(defaultTimeoutMs)
    .describe(`Milliseconds after which it is stopped (default ${defaultTimeoutMs}, at most ${longestTimeoutMs})`),
  persistent: z.boolean().optional().describe("No time limit: it goes on until it ends or TaskStop ends it"),
  ws: z.unknown().optional().describe("Not available here"),
});
type Input = z.infer<typeof input>;

const prompt = `Starts a command in the background and tells you each line it prints, as a message, while you go on with other work.

- For waiting and watching: a log line that must come, a build or a test run that goes on, a file that changes. To run something and see its result once, use Bash.
- Print only what you want to hear of: filter with grep --line-buffered, and end the command when the event is there ("until curl -sf localhost:3000; do sleep 1; done; echo up"). Lines that come together arrive as one message; a chatty command is told seldom and in part, the whole is in its output file.
- Only stdout is told; stderr goes to a file. Do not wait with sleep or ask for output: messages come by themselves.
- It ends with the command, with its time, or with TaskStop.`;

const watch = (call: Input & { command: string }, cwd: string, context: ToolContext): ToolResult => {
  const { shells, monitored } = context;
  if (!shells || !monitored)
    return { content: "Nothing can run in the background in this session: use Bash.", isError: true };
  const base = join(context.resultsDir, `monitor-${context.toolUseId.replace(/[^\w-]/g, "_")}`);
  const [outputPath, stderrPath] = [`${base}.txt`, `${base}.err`];
  const stop = new AbortController();
  let id = "";
  const feed = createLineFeed({
    now: context.now,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    send: (lines) =>
      monitored({
        taskId: id,
        status: "running",
        summary: `Monitor: ${call.description}`,
        result: lines,
        outputFile: outputPath,
      }),
  });
  const job = context.shell.start({
    command: call.command,
    cwd,
    env: context.env,
    confine: context.confine,
    timeoutMs: call.persistent ? Number.POSITIVE_INFINITY : call.timeout_ms,
    signal: stop.signal,
    outputPath,
    stderrPath,
    onOutput: feed.add,
  });
  const monitor = { isPersistent: call.persistent === true };
  const { command, description } = call;
  const { agentId, toolUseId } = context;
  const shell = shells.add({
    command,
    description,
    monitor,
    agentId,
    toolUseId,
    outputPath,
    job,
    stop: () => stop.abort(),
  });
  id = shell.id;
  void job.done.then(() => {
    feed.end();
    const ended = shells.get(id); // its end was noted before this
    if (!ended || ended.status === "running") return;
    const status = ended.status === "stopped" ? "killed" : ended.status === "failed" ? "failed" : "completed";
    monitored({
      taskId: id,
      status,
      summary: `Monitor "${description}" has ended. ${shellState(ended)}`,
      outputFile: outputPath,
    });
  });
  const until = call.persistent
    ? "until it ends or TaskStop ends it"
    : `for ${Math.round(call.timeout_ms / 1000)} s at most`;
  const message = `Watching as task ${id}, ${until}. Its lines come to you as messages; go on with other work. Output: ${outputPath}, stderr: ${stderrPath}.`;
  return {
    content: message,
    display: { kind: "text", text: `Watching as ${id} · /tasks` },
    structured: { message, task_id: id, outputFile: outputPath },
  };
};

export const monitor = defineTool<Input>({
  name: "Monitor",
  searchHint: "monitor watch wait log events lines stream background tail follow",
  deferred: true,
  prompt,
  input: input as z.ZodType<Input>,
  title: ({ description = "", command = "" }) => (description ? `${description}: ${command}` : command),
  validate: async ({ command, ws }, context) => {
    if (ws !== undefined)
      return "Monitor does not watch WebSockets here. Give a command that prints their messages, e.g. with websocat or a few lines of node.";
    if (!command) return "command is missing: the bash command whose lines are the events.";
    if (command.includes("\0")) return "The command contains a NUL character, which no shell takes.";
    return (await startFolder(context)) === undefined ? noFolderText(context) : undefined;
  },
  checkPermissions: async ({ command }, context) => ({
    reads: [],
    writes: [],
    command,
    cwd: await startFolder(context),
  }),
  preview: async ({ command = "" }) => ({ kind: "shell", command, output: "", exitCode: null, interrupted: false }),
  call: async (call, context) => {
    const cwd = await startFolder(context);
    if (cwd === undefined) return { content: noFolderText(context), isError: true };
    if (context.judgedCwd !== undefined && context.judgedCwd !== cwd)
      return {
        content: `Nothing ran: the working folder is no longer ${context.judgedCwd}, for which the call was allowed. Send the call again.`,
        isError: true,
      };
    return watch({ ...call, command: call.command ?? "" }, cwd, context);
  },
});
