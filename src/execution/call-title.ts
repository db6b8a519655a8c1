// The short argument of a tool line: paths below the working folder are shown relative to it.
import type { AnyTool } from "../tools/tool.js";

/** The tool's title for this input with the folder's path cut off; "" when the tool is unknown. */
export const callTitle = (tool: AnyTool | undefined, input: Record<string, unknown>, cwd: string): string => {
  const title = tool?.title(input) ?? "";
  if (title === cwd) return ".";
  return title.replaceAll(`${cwd}/`, "");
};
