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
