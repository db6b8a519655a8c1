// A server's tool as one of ours: its schema goes to the model as it is, the server itself checks the input.
import { z } from "zod";
import { sanitise } from "../../lib/sanitise.js";
import type { Mcp, McpTool } from "../../mcp/manager.js";
import { type AnyTool, defineTool } from "../tool.js";
import { callResult } from "./result.js";

const anyInput = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "it must be an object",
);

const titleChars = 100;

/** The input in a few words: `text: hello, times: 2`. */
const inputTitle = (input: Record<string, unknown>): string => {
  const words = Object.entries(input).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const line = sanitise(words.join(", ")).replace(/\s+/g, " ");
  return line.length > titleChars ? `${line.slice(0, titleChars)}…` : line;
};

const charsPerToken = 4;
const defaultTokens = 25_000; // spec: MAX_MCP_OUTPUT_TOKENS

/** The most characters of a result that the model gets whole. */
export const resultChars = (maxTokens: string | undefined, wish: number | undefined): number => {
  const tokens = Number.parseInt(maxTokens ?? "", 10);
  return wish ?? (tokens > 0 ? tokens : defaultTokens) * charsPerToken;
};

/** The tool behind `of`, called through `mcp`. */
export const mcpTool = (mcp: Pick<Mcp, "callTool">, of: McpTool, maxTokens: string | undefined): AnyTool =>
  defineTool<Record<string, unknown>>({
    name: of.fullName,
    searchHint: `${of.server} ${of.title ?? ""} ${of.name}`,
    prompt: of.description || of.title || of.name,
    input: anyInput,
    inputSchema: of.inputSchema,
    isReadOnly: () => of.isReadOnly,
    isConcurrencySafe: () => of.isReadOnly,
    checkPermissions: async () => ({
      reads: [],
      writes: [],
      sends: `this input to the MCP server ${sanitise(of.server)}${of.isDestructive ? ", which says that the call may destroy something" : ""}`,
      ...(of.needsPerson ? { needsPerson: true } : {}),
    }),
    title: inputTitle,
    preview: async (input) => ({ kind: "json", value: input }),
    maxResultChars: resultChars(maxTokens, of.maxResultChars),
    deferred: !of.isAlwaysLoaded,
    call: async (input, context, onProgress) => {
      try {
        const answer = await mcp.callTool(of, input, {
          signal: context.signal,
          timeoutMs: of.timeoutMs,
          onProgress: (text) => onProgress({ lastLines: [sanitise(text)] }),
        });
        return await callResult(answer, { resultsDir: context.resultsDir, id: context.toolUseId });
      } catch (error) {
        context.signal.throwIfAborted();
        const text = sanitise(error instanceof Error ? error.message : String(error));
        return { content: `${of.name} of the MCP server ${of.server} failed: ${text}`, isError: true };
      }
    },
  });
