// Requests to an http server and to what it names (its login server): through the person's proxy, with the entry's headers
// only for the server itself, and never from a public address into a private network.
import { lookup } from "node:dns/promises";
import { isInnerAddress, isInnerHost, literalAddress } from "../platform/http/addresses.js";
import { fetchThroughProxy } from "../platform/http/proxied-fetch.js";
import { proxyFor } from "../platform/http/proxy.js";
import type { Env } from "../platform/paths.js";

export type ServerFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface ServerFetchOptions {
  /** The address in the entry: what a person configured. */
  url: string;
  /** The entry's own headers. */
  headers?: Readonly<Record<string, string>>;
  /** For the proxy variables. */
  env: Env;
  /** The addresses of a name. */
  addressesOf?(host: string): Promise<string[]>;
  /** Sends a request; redirects are answers. */
  send?: ServerFetch;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const namesAddresses = async (host: string): Promise<string[]> => {
  const found = await lookup(host, { all: true }).catch(() => []); // unknown names fail when they are connected to
  return found.map(({ address }) => address);
};

const isLinkLocal = (address: string): boolean => /^(169\.254\.|fe80:)/i.test(address);

const sendFor =
  (env: Env): ServerFetch =>
  (url, init) => {
    const proxy = proxyFor(new URL(url), env);
    return proxy === undefined ? fetch(url, { ...init, redirect: "manual" }) : fetchThroughProxy(url, init, proxy);
  };

/** Says whether a server may lead us there; throws an Error for the person when it may not. */
const createGuard = ({ url, env, addressesOf = namesAddresses }: ServerFetchOptions) => {
  const home = new URL(url);
  const addressesAt = async ({ hostname }: URL): Promise<string[]> => {
    const literal = literalAddress(hostname);
    return literal === undefined ? addressesOf(hostname) : [literal];
  };
  let isHomeInner: Promise<boolean> | undefined;
  const homeIsInner = async () => isInnerHost(home.hostname) || (await addressesAt(home)).some(isInnerAddress);
  return async (target: URL): Promise<void> => {
    if (target.host === home.host) return;
    const isProxied = proxyFor(target, env) !== undefined; // the proxy looks names up
    const addresses = isProxied && literalAddress(target.hostname) === undefined ? [] : await addressesAt(target);
    const isInner = isInnerHost(target.hostname) || addresses.some(isInnerAddress);
    if (!isInner) return;
    isHomeInner ??= homeIsInner();
    if ((await isHomeInner) && !addresses.some(isLinkLocal)) return;
    throw new Error(
      `${home.host} leads to ${target.host}, an address of this machine or of a private network: refused. If you mean that address, configure it itself`,
    );
  };
};

const withHeaders = (init: RequestInit | undefined, own: Readonly<Record<string, string>>): RequestInit => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value);
  return { ...init, headers };
};

const withoutAuthorization = (init: RequestInit): RequestInit => {
  const headers = new Headers(init.headers);
  headers.delete("authorization");
  return { ...init, headers };
};

/** The fetch of one server. Redirects of reading requests are followed a few times, each target is looked at first. */
export const serverFetch = (options: ServerFetchOptions): ServerFetch => {
  const { headers = {}, send = sendFor(options.env) } = options;
  const { origin } = new URL(options.url);
  const guard = createGuard(options);
  return async (url, init) => {
    let target = new URL(url);
    let current: RequestInit = { ...init };
    const isFollowing = current.redirect !== "manual" && (current.method ?? "GET").toUpperCase() === "GET";
    for (let followed = 0; ; followed++) {
      await guard(target);
      const response = await send(target, target.origin === origin ? withHeaders(current, headers) : current);
      const location = redirects.has(response.status) ? response.headers.get("location") : null;
      if (location === null || !isFollowing) return response;
      if (followed === maxRedirects) throw new Error(`${target.host} redirects in circles`);
      await response.body?.cancel();
      const next = new URL(location, target);
      if (target.protocol === "https:" && next.protocol !== "https:")
        throw new Error(`${target.host} redirects from https to plain ${next.protocol.slice(0, -1)}: refused`);
      if (next.origin !== target.origin) current = withoutAuthorization(current);
      target = next;
    }
  };
};
