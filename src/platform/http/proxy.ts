// Which proxy a request goes through, from the usual variables; NO_PROXY as curl reads it.
import type { Env } from "../paths.js";

const value = (env: Env, name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;

/** The proxy for a URL; undefined when it is reached directly. */
export const proxyFor = (url: URL, env: Env): string | undefined => {
  const proxy = value(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? value(env, "ALL_PROXY");
  if (!proxy || isExcluded(url, value(env, "NO_PROXY") ?? "")) return undefined;
  return /^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
};

const isExcluded = (url: URL, list: string): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", wantedPort] =
        /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry.includes("::") ? `[${entry}]` : entry) ?? [];
      if (wantedPort !== undefined && wantedPort !== port) return false;
      const wanted = name.toLowerCase().replace(/^\*?\./, "");
      return wanted !== "" && (host === wanted || host.endsWith(`.${wanted}`));
    });
};

/**
 * From now on every request of this process (models, MCP servers, logins) goes through the proxies that the variables
 * name, as `proxyFor` says. Does nothing without such variables. False: this Node cannot do it (24.14 can).
 */
export const useProxies = async (env: Env): Promise<boolean> => {
  const all = value(env, "ALL_PROXY");
  const usable = (proxy: string | undefined): string | undefined => {
    const url = proxy === undefined || /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
    return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined; // Node speaks no SOCKS
  };
  const http = usable(value(env, "HTTP_PROXY") ?? all);
  const https = usable(value(env, "HTTPS_PROXY") ?? all);
  if (http === undefined && https === undefined) return true;
  const { setGlobalProxyFromEnv } = await import("node:http");
  if (typeof setGlobalProxyFromEnv !== "function") return false;
  const excluded = value(env, "NO_PROXY");
  setGlobalProxyFromEnv({
    ...(http === undefined ? {} : { HTTP_PROXY: http }),
    ...(https === undefined ? {} : { HTTPS_PROXY: https }),
    ...(excluded === undefined ? {} : { NO_PROXY: excluded }),
  });
  return true;
};
