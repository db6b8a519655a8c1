// Fetches one page: limits, redirects on the same host, and no private address that no rule names.
import { isInnerAddress, isInnerHost, literalAddress } from "../../platform/http/addresses.js";
import { type HttpAnswer, HttpProblem, httpGet } from "../../platform/http/get.js";
import type { ToolContext } from "../tool.js";
import { redirectOf } from "./page-address.js";

const timeoutMs = 30_000;
const maxBytes = 10 * 1024 * 1024;
const maxRedirects = 10;
const accept = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";

export type FetchedPage =
  | { kind: "answer"; url: URL; answer: HttpAnswer }
  /** It leads to another host: for the model to decide. */
  | { kind: "moved"; status: number; from: URL; to: URL }
  /** A sentence for the model. */
  | { kind: "problem"; text: string };

type FetchContext = Pick<ToolContext, "env" | "signal" | "allowsHost">;

/** Why a host may not be reached at all; undefined when it may, or when only its addresses will tell. */
export const innerHostProblem = (
  hostname: string,
  { allowsHost }: Pick<ToolContext, "allowsHost">,
): string | undefined => {
  if (!isInnerHost(hostname) || allowsHost?.(hostname)) return undefined;
  return `${hostname} is on this machine or in a private network, and pages there are fetched only when an allow rule names the host: WebFetch(domain:${hostname}). Without it use curl in Bash.`;
};

/**
 * Whether an address may be connected to for this host. A private one needs a rule that names it, so that a public name
 * that leads inside (by mistake or on purpose) is not enough; names that are private themselves need a rule for the name.
 */
export const reachable =
  (hostname: string, { allowsHost }: Pick<ToolContext, "allowsHost">) =>
  (address: string): boolean => {
    if (!isInnerAddress(address)) return true;
    if (isInnerHost(hostname)) return allowsHost?.(hostname) === true;
    return allowsHost?.(address.includes(":") ? `[${address}]` : address) === true;
  };

/** Fetches a page whose address `pageAddress` accepted. Every hop is checked anew. Never throws but when aborted. */
export const fetchPage = async (start: URL, userAgent: string, context: FetchContext): Promise<FetchedPage> => {
  const seen = new Set<string>();
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    if (seen.has(url.href))
      return { kind: "problem", text: `${start.href} could not be fetched: it redirects in a circle.` };
    seen.add(url.href);
    const inner = innerHostProblem(url.hostname, context);
    if (inner) return { kind: "problem", text: inner };
    const answer = await getPage(url, userAgent, context);
    if (typeof answer === "string") return { kind: "problem", text: answer };
    const redirect = [301, 302, 303, 307, 308].includes(answer.status)
      ? redirectOf(url, answer.headers.location)
      : undefined;
    if (!redirect) return { kind: "answer", url, answer };
    if (redirect.action === "report") return { kind: "moved", status: answer.status, from: url, to: redirect.url };
    url = redirect.url;
  }
  return { kind: "problem", text: `${start.href} could not be fetched: more than ${maxRedirects} redirects.` };
};

const getPage = async (url: URL, userAgent: string, context: FetchContext): Promise<HttpAnswer | string> => {
  try {
    return await httpGet(url, {
      headers: { accept, "user-agent": userAgent, "accept-language": "en, *;q=0.5" },
      maxBytes,
      timeoutMs,
      signal: context.signal,
      env: context.env,
      mayReach: reachable(url.hostname, context),
    });
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const rule =
      error.kind === "address" && error.address !== undefined && literalAddress(url.hostname) === undefined
        ? ` Pages there are fetched only when an allow rule names the address too: WebFetch(domain:${error.address}).`
        : "";
    return `${url.href} could not be fetched: ${error.message}.${rule}`;
  }
};
