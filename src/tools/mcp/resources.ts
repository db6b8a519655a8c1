// ListMcpResourcesTool and ReadMcpResourceTool: what servers keep beside their tools.
import { z } from "zod";
import { sanitise } from "../../lib/sanitise.js";
import type { Mcp } from "../../mcp/manager.js";
import { type AnyTool, defineTool } from "../tool.js";
import { resourceResult } from "./result.js";
import { resultChars } from "./tool.js";

type Servers = Pick<Mcp, "resources" | "readResource">;

const listTool = (mcp: Servers): AnyTool =>
  defineTool({
    name: "ListMcpResourcesTool",
    searchHint: "mcp resources list",
    prompt:
      "Lists the resources of the connected MCP servers: server, uri, name, type and description of each. Read one with ReadMcpResourceTool.",
    input: z.object({ server: z.string().optional().describe("Only this server's; all servers by default.") }),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    checkPermissions: async () => ({ reads: [], writes: [] }),
    title: ({ server }) => sanitise(server ?? ""),
    deferred: true,
    call: async ({ server }) => {
      const found = mcp.resources().filter((one) => server === undefined || one.server === server);
      const lines = found.map(
        ({ server: of, uri, name, mimeType, description }) =>
          `${of} ${uri}${[name, mimeType ?? "", description]
            .filter(Boolean)
            .map((word) => ` · ${word}`)
            .join("")}`,
      );
      const content = lines.join("\n") || `No resources${server === undefined ? "" : ` on ${server}`}.`;
      return { content, display: { kind: "text", text: content }, structured: found };
    },
  });

const readTool = (mcp: Servers, maxTokens: string | undefined): AnyTool =>
  defineTool({
    name: "ReadMcpResourceTool",
    searchHint: "mcp resource read",
    prompt: "Reads one resource of an MCP server by the uri that ListMcpResourcesTool gives.",
    input: z.object({
      server: z.string().describe("Name of the server."),
      uri: z.string().describe("Address of the resource."),
    }),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    checkPermissions: async () => ({ reads: [], writes: [] }),
    title: ({ server = "", uri = "" }) => sanitise(`${server}: ${uri}`),
    maxResultChars: resultChars(maxTokens, undefined),
    deferred: true,
    call: async ({ server, uri }, context) => {
      try {
        const answer = await mcp.readResource(server, uri, { signal: context.signal });
        return await resourceResult(answer, { resultsDir: context.resultsDir, id: context.toolUseId });
      } catch (error) {
        context.signal.throwIfAborted();
        const text = sanitise(error instanceof Error ? error.message : String(error));
        return { content: `${uri} of ${server} cannot be read: ${text}`, isError: true };
      }
    },
  });

/** The two tools, in their fixed order. */
export const resourceTools = (mcp: Servers, maxTokens: string | undefined): AnyTool[] => [
  listTool(mcp),
  readTool(mcp, maxTokens),
];
