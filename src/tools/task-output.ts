// TaskOutput: what a background command has printed, waiting for its end if wanted.
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import type { AgentTask } from "../agents/background.js";
import { shellState } from "../tasks/shells.js";
import { trimOutput } from "./bash/result-text.js";
import { storedPreview } from "./shared/preview.js";
import { defineTool, type ToolResult } from "./tool.js";

const maxTimeoutMs = 600_000;
const maxChars = 32_000; // TASK_MAX_OUTPUT_LENGTH's default

const input = z.object({
  task_id: z.string().min(1).describe("Id of the background task"),
  block: z.boolean().default(true).describe("Wait for its end"),
  timeout: z.number().min(0).max(maxTimeoutMs).default(30_000).describe("Longest wait in milliseconds"),
});
type Input = z.infer<typeof input>;

/** An agent's report once it has one; its log is in a file. */
const agentOutput = (agent: AgentTask, isBlocking: boolean): ToolResult => {
  const isRunning = agent.status === "running";
  const what = `Agent ${agent.id} (${agent.description}) ${isRunning ? "is still at work" : `has ended (${agent.status})`}`;
  const text = `${what}. Its log is in ${agent.outputFile}.${agent.result ? `\n\n${agent.result}` : ""}`;
  return {
    content: text,
    display: { kind: "text", text },
    structured: {
      retrieval_status: isRunning ? (isBlocking ? "timeout" : "not_ready") : "success",
      task: {
        task_id: agent.id,
        task_type: "local_agent",
        status: agent.status,
        description: agent.description,
        output: agent.result ?? "",
      },
    },
  };
};

const prompt = `Shows the state and the output of a background command, or the report of an agent in the background.

- With block (the default) it waits until the command ends or the timeout passes; set block to false to look at once.
- You are told when a background command ends, so there is no need to ask again and again. Its output file can also be read with Read.`;

export const taskOutput = defineTool<Input>({
  name: "TaskOutput",
  aliases: ["BashOutput"],
  searchHint: "background task output wait shell",
  prompt,
  input: input as z.ZodType<Input>,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  title: ({ task_id = "" }) => task_id,
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async ({ task_id, block, timeout }, { shells, agents, signal, env }) => {
    const agent = block ? await agents?.wait(task_id, timeout, signal) : agents?.get(task_id);
    if (agent?.isBackground) return agentOutput(agent, block);
    const shell = block ? await shells?.wait(task_id, timeout, signal) : shells?.get(task_id);
    if (!shell) return { content: `There is no background task ${task_id}.`, isError: true };
    const output = trimOutput(stripVTControlCharacters(shells?.output(task_id) ?? ""));
    const limit = Number(env.TASK_MAX_OUTPUT_LENGTH) || maxChars;
    const shown =
      output.length > limit
        ? storedPreview(output, { path: shell.outputPath, bytes: shell.totalBytes, storedBytes: shell.storedBytes })
        : output;
    return {
      content: `${shellState(shell)}.\n${shown || "(It has printed nothing so far.)"}`,
      display: {
        kind: "shell",
        command: shell.command,
        output: shown,
        exitCode: shell.exitCode,
        interrupted: shell.status === "stopped",
        totalBytes: shell.totalBytes,
        outputPath: shell.outputPath,
      },
      structured: {
        retrieval_status: shell.status !== "running" ? "success" : block ? "timeout" : "not_ready",
        task: {
          task_id,
          task_type: "local_bash",
          status: shell.status,
          description: shell.description ?? shell.command,
          output: shown,
          exitCode: shell.exitCode,
        },
      },
    };
  },
});
