// Which search a session has: the provider's own, the one of the setting `webSearch`, or none and why.
import { z } from "zod";
import { runHelper } from "../platform/helper-command.js";
import { httpPost } from "../platform/http/post.js";
import type { WebSearchAnswer, WebSearchRequest } from "../tools/tool.js";
import type { LoopOptions } from "./loop-options.js";
import { childEnv, type Session } from "./session.js";
import { searchWithServerTool } from "./side-calls.js";

const timeoutMs = 30_000;

const page = z.looseObject({ title: z.string().optional(), url: z.string(), snippet: z.string().optional() });
const found = z.union([z.array(page), z.looseObject({ results: z.array(page) }).transform(({ results }) => results)]);

/** The request as commands (on standard input) and endpoints (as the body) get it. */
const requestText = ({ query, allowedDomains, blockedDomains }: WebSearchRequest): string =>
  JSON.stringify({ query, allowed_domains: allowedDomains, blocked_domains: blockedDomains });

/** What a command or an endpoint answered: a list of pages, bare or as `results`. Throws an Error that says what is wrong. */
export const readSearchAnswer = (text: string, source: string): WebSearchAnswer => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${source} did not answer with JSON.`);
  }
  const parsed = found.safeParse(value);
  if (!parsed.success) throw new Error(`${source} answered with JSON that holds no list of { title, url, snippet }.`);
  const pages = parsed.data;
  const said = pages.flatMap(({ url, title, snippet }) => (snippet ? [`${title ?? url}: ${snippet}`] : []));
  return {
    results: [
      { tool_use_id: "search", content: pages.map(({ title, url }) => ({ title: title ?? url, url })) },
      ...(said.length > 0 ? [said.join("\n")] : []),
    ],
  };
};

/** Searches the web for a tool call. Throws an Error that says what to set up when there is no search. */
export const searchWeb = async (
  session: Session,
  parent: () => LoopOptions,
  search: WebSearchRequest,
  signal: AbortSignal,
): Promise<WebSearchAnswer> => {
  if (session.provider.searchesWeb) return searchWithServerTool(session, parent(), search, signal);
  const own = session.settings.get("webSearch");
  if (own && "command" in own && typeof own.command === "string") {
    const answer = await runHelper({
      command: own.command,
      cwd: session.cwd,
      env: childEnv(session),
      timeoutMs,
      signal,
      stdin: requestText(search),
    });
    return readSearchAnswer(answer, "The command of the setting webSearch");
  }
  if (own && "endpoint" in own && typeof own.endpoint === "string") {
    const answer = await httpPost(own.endpoint, { body: requestText(search), timeoutMs, signal });
    return readSearchAnswer(answer, "The endpoint of the setting webSearch");
  }
  throw new Error(
    `The model ${session.model.label} has no web search of its own. The setting webSearch can name a command or an endpoint for it.`,
  );
};
