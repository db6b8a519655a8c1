// Agent: gives a piece of work to a subagent with a context of its own and returns its report.
import { z } from "zod";
import { isUsable, reportText } from "../agents/report.js";
import type { SubagentOutcome, SubagentReport } from "../agents/run.js";
import { defineTool, type ToolResult } from "./tool.js";

const input = z.object({
  description: z.string().min(1).describe("The work in three to five words, for the person"),
  prompt: z.string().min(1).describe("The whole task: the agent sees nothing of this conversation"),
  subagent_type: z.string().default("general-purpose").describe("Name of the agent"),
  model: z.enum(["sonnet", "opus", "haiku", "fable"]).optional().describe("Another model than the agent's own"),
  run_in_background: z.boolean().optional().describe("Go on at once; you are told when the agent is done"),
  isolation: z
    .enum(["worktree"], {
      error: 'isolation can only be "worktree"; "remote" does not exist here: agents run on this machine',
    })
    .optional()
    .describe("worktree: it works in a git worktree of its own, so that agents which change files do not meet"),
  name: z.string().optional().describe("A short name to tell it apart"),
});
type Input = z.infer<typeof input>;

const prompt = `Starts an agent that works on its own, with its own context and tools, and returns one report. The agents there are, and what each is for, are listed in the background at the beginning.

- Use one for work whose intermediate output you do not need: broad searches, independent research, a self-contained change. To read a known file or look up a known name, use Read or Grep yourself.
- Write the prompt so that a stranger could do the work: the goal, what you know already (paths, names, findings), what to return, and whether files may be changed. The agent cannot ask back.
- Agents for independent parts go into one answer as several calls: they run side by side.
- The person does not see the report: tell them what matters of it. It says what the agent meant to do, so check changes before you call them done.
- Agents that change files at the same time get isolation: worktree. What one has changed stays on its branch, which its result names; merging it is up to you. Without changes the worktree is gone again.
- With run_in_background you go on at once and get a notice with the report later; do not wait or look for it.`;

const refusal = (text: string): ToolResult => ({ content: text, structured: `Error: ${text}`, isError: true });

const completed = (report: SubagentReport, call: Input): ToolResult => {
  const { agentId, agentType, model, toolUses, tokens, durationMs, usage, worktree } = report;
  const text = reportText(report);
  const figures = [
    `agentId: ${agentId}`,
    `<usage>subagent_tokens: ${tokens}`,
    `tool_uses: ${toolUses}`,
    `duration_ms: ${durationMs}</usage>`,
    ...(worktree ? [`worktreePath: ${worktree.path}`, `worktreeBranch: ${worktree.branch}`] : []),
  ].join("\n");
  return {
    content: [
      { type: "text", text },
      { type: "text", text: figures },
    ],
    isError: !isUsable(report),
    display: { kind: "agent", agentId, agentType, text, toolUses, tokens, durationMs },
    structured: {
      status: "completed",
      agentId,
      agentType,
      content: [{ type: "text", text }],
      resolvedModel: model,
      totalToolUseCount: toolUses,
      totalDurationMs: durationMs,
      totalTokens: tokens,
      usage,
      prompt: call.prompt,
      ...(worktree ? { worktreePath: worktree.path, worktreeBranch: worktree.branch } : {}),
    },
  };
};

const launched = (outcome: Extract<SubagentOutcome, { status: "async_launched" }>, call: Input): ToolResult => {
  const { agentId, outputFile, model } = outcome;
  const { description } = call;
  const text = `Agent ${agentId} (${description}) works in the background. You get a notice with its report when it is done; until then do something else or end your answer. Its log is in ${outputFile}`;
  return {
    content: text,
    display: { kind: "text", text: `Started in the background: ${description}`, summary: "in the background" },
    structured: {
      status: "async_launched",
      agentId,
      description,
      prompt: call.prompt,
      outputFile,
      resolvedModel: model,
    },
  };
};

export const agent = defineTool<Input>({
  name: "Agent",
  aliases: ["Task", "agent"],
  searchHint: "delegate subagent explore plan research parallel background",
  prompt,
  input: input as z.ZodType<Input>,
  isConcurrencySafe: () => true,
  title: ({ description = "", subagent_type }) => (subagent_type ? `${subagent_type} · ${description}` : description),
  // It touches nothing by itself; what the agent does passes the same gates as everything else.
  checkPermissions: async () => ({ reads: [], writes: [] }),
  call: async (call, { runSubagent }) => {
    if (!runSubagent) return refusal("Agents cannot be started here.");
    const outcome = await runSubagent({
      description: call.description,
      prompt: call.prompt,
      type: call.subagent_type,
      model: call.model,
      name: call.name,
      isBackground: call.run_in_background ?? false,
      isolation: call.isolation,
    });
    if (outcome.status === "refused") return refusal(outcome.text);
    return outcome.status === "completed" ? completed(outcome, call) : launched(outcome, call);
  },
});
