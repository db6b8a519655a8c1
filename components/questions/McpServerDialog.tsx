// McpServerDialog: a server of the project's .mcp.json wants to start for the first time.
import { sanitise } from "../../src/lib/sanitise.js";
import type { AnswerOf, QuestionOf } from "../../src/protocol/questions.js";
import { useServices } from "../app-context.js";
import { mcpServerOptions, mcpServerText } from "./mcp-server-text.js";
import { SimpleDialog } from "./SimpleDialog.js";

export const McpServerDialog = ({ question }: { question: QuestionOf<"mcp_server"> }) => {
  const { actions } = useServices();
  return (
    <SimpleDialog<AnswerOf<"mcp_server">["choice"]>
      title={`New MCP server in this project: ${sanitise(question.server)}`}
      text={mcpServerText(question)}
      options={mcpServerOptions}
      escapeTo="later"
      escapeHint="esc asks next time"
      onPick={(choice) => actions.answer(question.id, { kind: "mcp_server", choice })}
    />
  );
};
