// What the question about a project's MCP server says, on the screen and in plain lines.
import { sanitise } from "../../src/lib/sanitise.js";
import type { QuestionOf } from "../../src/protocol/questions.js";

/** In the order they are offered. */
export const mcpServerOptions = [
  { id: "use", label: "Use this server" },
  { id: "all", label: "Use this and all later servers of this project" },
  { id: "refuse", label: "Never use it here" },
] as const;

/** The body of the question. */
export const mcpServerText = ({ detail }: QuestionOf<"mcp_server">): string =>
  `${sanitise(detail)}\nA server runs programs or reaches the network in your name, and what it says reaches the model.`;
