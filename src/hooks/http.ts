// Hooks that are an address: the input is sent as JSON, the answer read like a command's output.
import { httpPost } from "../platform/http/post.js";
import type { Env } from "../platform/paths.js";
import type { HookHandler } from "../settings/schema/hooks.js";
import type { RawAnswer } from "./outcome.js";

export interface HttpLimits {
  /** Patterns of addresses that may be called (`*` is anything); absent: all. */
  urls?: readonly string[];
  /** Variables that may be sent; absent: what each hook names. */
  envVars?: readonly string[];
}

const maxAnswerBytes = 1024 * 1024;

const asExpression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** Header values with `$NAME` and `${NAME}` of the allowed variables filled in; other names become empty. */
export const filledHeaders = (
  headers: Readonly<Record<string, string>>,
  allowed: readonly string[],
  env: Env,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value
        .replace(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced?: string, bare?: string) => {
          const variable = braced ?? bare ?? "";
          return allowed.includes(variable) ? (env[variable] ?? "") : "";
        })
        .replace(/[\r\n]/g, ""),
    ]),
  );

const problem = (stderr: string, ended?: RawAnswer["ended"]): RawAnswer => ({
  exitCode: 1,
  stdout: "",
  stderr,
  ...(ended ? { ended } : {}),
});

/** Calls it. Never rejects. */
export const runHttpHook = async (
  { url = "", headers = {}, allowedEnvVars = [] }: HookHandler,
  request: { body: string; env: Env; timeoutMs: number; signal: AbortSignal; limits: HttpLimits },
): Promise<RawAnswer> => {
  const { body, env, timeoutMs, signal, limits } = request;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return problem(`${url} is no http or https address`);
  const { href } = new URL(url);
  if (limits.urls && !limits.urls.some((pattern) => asExpression(pattern).test(href)))
    return problem(`${href} is not among allowedHttpHookUrls`);
  const allowed = allowedEnvVars.filter((name) => limits.envVars?.includes(name) ?? true);
  try {
    const answer = await httpPost(href, {
      body,
      timeoutMs,
      signal,
      headers: filledHeaders(headers, allowed, env),
      maxBytes: maxAnswerBytes,
    });
    const text = answer.trim();
    if (text !== "" && !text.startsWith("{")) return problem("its answer is no JSON object");
    return { exitCode: 0, stdout: text, stderr: "" };
  } catch (error) {
    if (signal.aborted) return problem("", "aborted");
    return problem((error as Error).message);
  }
};
