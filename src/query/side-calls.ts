// Model calls that tools ask for beside the conversation: one question to a small model, one search with the server's tool.
import type { Message } from "../protocol/messages.js";
import type { ModelOverrides } from "../providers/models.js";
import { effortFor, type ModelInfo, smallModel, thinkingFor } from "../providers/models.js";
import type { SystemBlock } from "../providers/provider.js";
import type { WebSearchAnswer, WebSearchRequest } from "../tools/tool.js";
import type { LoopOptions, LoopOutcome } from "./loop-options.js";
import { runAgent } from "./run-agent.js";
import type { Session } from "./session.js";

const answerTokens = 8192;
const titleTokens = 64;
const tries = 3;
const searchesPerCall = 8; // spec/tools section 7

const system = (text: string): SystemBlock[] => [{ type: "text", text }];

/** The model for small jobs where the provider has one, else the session's own. */
export const modelForSideJobs = ({ provider, model, settings, options }: Session): ModelInfo =>
  provider.id === "anthropic"
    ? smallModel({ env: options.env, overrides: settings.get("models") as ModelOverrides | undefined })
    : model;

/** Options of a side call: another model, no tools, few tries (nobody sees its countdown). */
export const sideOptions = (parent: LoopOptions, model: ModelInfo, tokens = answerTokens): LoopOptions => {
  const maxOutputTokens = Math.min(tokens, model.maxOutput);
  return {
    ...parent,
    model: model.id,
    contextWindow: model.contextWindow,
    maxOutputTokens,
    thinking: thinkingFor(model, "disabled", undefined, maxOutputTokens),
    effort: effortFor(model, "low"),
    tools: [],
    maxRetries: tries,
    retryDelayMs: (error, attempt) => (attempt > tries ? undefined : parent.retryDelayMs(error, attempt)),
  };
};

/** What went wrong with a side call; undefined: nothing. */
export const failureOf = ({ cause, text }: LoopOutcome): Error | undefined =>
  cause === "completed" || cause === "max_turns" || cause === "max_output_tokens"
    ? undefined
    : new Error(text || cause);

/** Asks the small model one question. Throws an Error with the reason. */
export const askSmallModel = (
  session: Session,
  parent: LoopOptions,
  prompt: string,
  signal: AbortSignal,
): Promise<string> => ask(session, parent, { purpose: "side", system: questionSystem, prompt }, signal);

const questionSystem =
  "You answer one question about a text for a programmer's assistant. Your answer is all that it gets.";

const titleSystem =
  "You find the title of a conversation between a person and a coding assistant: three to seven words that tell it from others, in the language of the person. Answer with the title alone, without quotation marks and without a full stop.";

/** Asks the small model for a conversation's title, from what the person wrote. Throws an Error with the reason. */
export const askForTitle = (
  session: Session,
  parent: LoopOptions,
  typed: string,
  signal: AbortSignal,
): Promise<string> =>
  ask(session, parent, { purpose: "title", system: titleSystem, prompt: typed, tokens: titleTokens }, signal);

const ask = async (
  session: Session,
  parent: LoopOptions,
  question: { purpose: "side" | "title"; system: string; prompt: string; tokens?: number },
  signal: AbortSignal,
): Promise<string> => {
  const outcome = await runAgent({
    parent: sideOptions(parent, modelForSideJobs(session), question.tokens),
    messages: [{ role: "user", content: question.prompt }],
    purpose: question.purpose,
    maxTurns: 1,
    signal,
    system: system(question.system),
  });
  const failure = failureOf(outcome);
  if (failure) throw failure;
  return outcome.text;
};

/** Searches with the provider's own tool. Throws an Error with the reason. */
export const searchWithServerTool = async (
  session: Session,
  parent: LoopOptions,
  search: WebSearchRequest,
  signal: AbortSignal,
): Promise<WebSearchAnswer> => {
  const messages: Message[] = [{ role: "user", content: `Search the web for: ${search.query}` }];
  const outcome = await runAgent({
    parent: {
      ...sideOptions(parent, session.model),
      serverTools: [
        {
          type: "web_search_20250305",
          name: "web_search",
          max_uses: searchesPerCall,
          ...(search.allowedDomains ? { allowed_domains: search.allowedDomains } : {}),
          ...(search.blockedDomains ? { blocked_domains: search.blockedDomains } : {}),
        },
      ],
    },
    messages,
    purpose: "side",
    maxTurns: 1,
    signal,
    system: system(
      "You search the web with your web_search tool and report briefly what the results say about the query.",
    ),
  });
  const results = searchResults(messages);
  const failure = failureOf(outcome);
  if (failure && results.length === 0) throw failure;
  return { results };
};

type Block = { type: string; [key: string]: unknown };

/** Pages and texts of the answers in `messages`, in their order; errors of the search as texts. */
export const searchResults = (messages: readonly Message[]): WebSearchAnswer["results"] => {
  const results: WebSearchAnswer["results"] = [];
  const blocks = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? (content as Block[]) : [],
  );
  let text = "";
  const endText = (): void => {
    if (text.trim() !== "") results.push(text.trim());
    text = "";
  };
  for (const block of blocks) {
    if (block.type === "text") text += String(block.text ?? ""); // one sentence comes in several blocks, cut at its citations
    if (block.type !== "web_search_tool_result") continue;
    endText();
    const { content, tool_use_id } = block;
    if (Array.isArray(content)) results.push({ tool_use_id: String(tool_use_id), content: content.flatMap(pageOf) });
    else results.push(`The search failed: ${(content as Block | undefined)?.error_code ?? "unknown error"}`);
  }
  endText();
  return results;
};

const pageOf = (result: Block): { title: string; url: string }[] =>
  result.type === "web_search_result" && typeof result.url === "string"
    ? [{ title: String(result.title ?? result.url), url: result.url }]
    : [];
