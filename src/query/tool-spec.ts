// A tool as the model sees it on the wire.
import { z } from "zod";
import type { ToolSpec } from "../providers/provider.js";
import type { AnyTool } from "../tools/tool.js";

/** The specification of a tool: equal tools give equal bytes. */
export const toolSpec = (tool: AnyTool): ToolSpec => {
  const { $schema: _, ...schema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: "input" });
  return { name: tool.name, description: tool.prompt, input_schema: schema };
};
