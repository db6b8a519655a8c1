// From an address to a page as text: checks, fetching, turning into Markdown, and a result in words where that fails.
import { STATUS_CODES } from "node:http";
import type { ToolContext, ToolResult } from "../tool.js";
import { fetchPage, innerHostProblem } from "./fetch-page.js";
import { pageAddress } from "./page-address.js";
import type { StoredPage } from "./page-cache.js";
import { pageText } from "./page-text.js";

/** The address to fetch; a string says why there will be no page. */
export const checkedAddress = (url: string, context: Pick<ToolContext, "allowsHost">): URL | string => {
  const address = pageAddress(url);
  return typeof address === "string" ? address : (innerHostProblem(address.hostname, context) ?? address);
};

const nameOf = (status: number, text: string): string => `${status} ${text || STATUS_CODES[status] || ""}`.trim();

/** The page in its stored form, or the result that says why there is none. */
export const loadPage = async (
  address: URL,
  userAgent: string,
  context: ToolContext,
): Promise<StoredPage | ToolResult> => {
  const fetched = await fetchPage(address, userAgent, context);
  if (fetched.kind === "problem") return { content: fetched.text, isError: true };
  if (fetched.kind === "moved") {
    const text = `${fetched.from.href} redirects to another address, which was not followed (${nameOf(fetched.status, "")}): ${fetched.to.href}\nIf it is to be trusted, call WebFetch with that URL.`;
    return { content: text, display: { kind: "text", text } };
  }
  const { answer: got, url } = fetched;
  if (got.status < 200 || got.status >= 300)
    return { content: `${url.href} answered ${nameOf(got.status, got.statusText)}. Nothing was read.`, isError: true };
  const page = await pageText(got, url.href);
  if (typeof page === "string") return { content: `${url.href} cannot be read: ${page}`, isError: true };
  return {
    url: url.href,
    title: page.title,
    text: page.text.toWellFormed(),
    bytes: got.body.length,
    status: got.status,
    statusText: got.statusText || STATUS_CODES[got.status] || "",
    isCut: got.isCut,
  };
};
