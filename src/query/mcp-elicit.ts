// A server asks the person something: its form as a question, a page to open only after a yes.
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { Emit } from "../execution/context.js";
import { sanitise } from "../lib/sanitise.js";
import { formContent, formFields } from "../mcp/elicit.js";
import { openUrl } from "../platform/open-url.js";
import type { ChoiceItem } from "../protocol/questions.js";
import { publish, type Session } from "./session.js";

const openLabel = "Open the page";
const declineLabel = "Decline";
const maxRounds = 3; // a form that is filled in wrongly is asked again so often
const maxMessage = 1000;

const tell =
  (session: Session): Emit =>
  async (event) =>
    publish(session, event);

const askItems = (session: Session, questions: ChoiceItem[], signal: AbortSignal) =>
  session.questions.ask("choice", { toolUseId: "", questions }, tell(session), signal);

const said = (server: string, message: string): string =>
  `The MCP server ${sanitise(server)} asks: ${sanitise(message).slice(0, maxMessage)}`;

const askForm = async (
  session: Session,
  server: string,
  params: Extract<ElicitRequest["params"], { requestedSchema: unknown }>,
  signal: AbortSignal,
): Promise<ElicitResult> => {
  const fields = formFields(params.requestedSchema);
  const head = said(server, params.message);
  if (fields.length === 0) {
    const item = {
      question: head,
      header: "MCP",
      options: [option("Accept"), option(declineLabel)],
      multiSelect: false,
    };
    const answer = await askItems(session, [item], signal);
    if (!answer?.answers) return { action: "cancel" };
    return answer.answers[head] === "Accept" ? { action: "accept", content: {} } : { action: "decline" };
  }
  let problems = new Map<string, string>();
  for (let round = 0; round < maxRounds; round++) {
    const shown = fields.map((field, at) => {
      const problem = problems.get(field.key);
      const lines = [at === 0 ? head : "", field.item.question, problem ? `Not accepted: ${problem}.` : ""];
      return { ...field, item: { ...field.item, question: lines.filter(Boolean).join("\n") } };
    });
    const answer = await askItems(
      session,
      shown.map(({ item }) => item),
      signal,
    );
    if (!answer) return { action: "cancel" };
    if (!answer.answers) return { action: "decline" };
    const filled = formContent(shown, answer.answers);
    if (filled.problems.size === 0) return { action: "accept", content: filled.content };
    problems = filled.problems;
  }
  return { action: "cancel" };
};

const option = (label: string) => ({ label, description: "" });

const askPage = async (
  session: Session,
  server: string,
  { message, url }: { message: string; url: string },
  signal: AbortSignal,
): Promise<ElicitResult> => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return { action: "decline" };
  const question = `${said(server, message)}\nIt wants you to open ${sanitise(new URL(url).href)}`;
  const item = { question, header: "MCP", options: [option(declineLabel), option(openLabel)], multiSelect: false };
  const answer = await askItems(session, [item], signal);
  if (!answer) return { action: "cancel" };
  if (answer.answers?.[question] !== openLabel) return { action: "decline" };
  if (!openUrl(url, session.options.env))
    publish(session, { type: "notice", level: "info", text: `Open this page in your browser: ${sanitise(url)}` });
  return { action: "accept" };
};

/** Answers a server's request for input. Without a person it is declined. */
export const elicit = (
  session: Session,
  server: string,
  params: ElicitRequest["params"],
  signal: AbortSignal,
): Promise<ElicitResult> => {
  const either = AbortSignal.any([signal, session.closing.signal]);
  return "requestedSchema" in params
    ? askForm(session, server, params, either)
    : askPage(session, server, params as { message: string; url: string }, either);
};
