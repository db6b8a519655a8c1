// Looks whether what happened is what a scenario expects. Every function returns complaints; none means fine.
import type { RecordedRequest } from "./model-server.js";
import type { RequestMatcher, TextMatcher } from "./scenario-schema.js";

const many = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/** "/pattern/flags" as a regular expression. */
const asPattern = (text: string): RegExp | undefined => {
  const found = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  return found?.[1] ? new RegExp(found[1], found[2]) : undefined;
};

/** True when the text contains the wanted one, or matches it where it is written as /pattern/. */
export const shows = (text: string, wanted: string): boolean => asPattern(wanted)?.test(text) ?? text.includes(wanted);

const quote = (text: string): string => JSON.stringify(text.length > 600 ? `${text.slice(0, 600)}…` : text);

/** Complaints about a text. With `whole`, a plain string must be the whole text. */
export const matchText = (what: string, text: string, wanted: TextMatcher, whole = false): string[] => {
  if (typeof wanted === "string") {
    const fits = whole && !asPattern(wanted) ? text === wanted : shows(text, wanted);
    return fits ? [] : [`${what}: expected ${whole ? "" : "to contain "}${quote(wanted)}, is ${quote(text)}`];
  }
  const faults: string[] = [];
  if (wanted.equals !== undefined && text !== wanted.equals)
    faults.push(`${what}: expected ${quote(wanted.equals)}, is ${quote(text)}`);
  for (const part of many(wanted.contains))
    if (!shows(text, part)) faults.push(`${what}: lacks ${quote(part)}, is ${quote(text)}`);
  for (const part of many(wanted.notContains))
    if (shows(text, part)) faults.push(`${what}: must not contain ${quote(part)}`);
  if (wanted.matches !== undefined && !new RegExp(wanted.matches).test(text))
    faults.push(`${what}: does not match /${wanted.matches}/, is ${quote(text)}`);
  return faults;
};

/** First place where `part` is not contained in `whole`: objects by their named fields, lists by position, "/x/" as pattern. */
export const misfit = (whole: unknown, part: unknown, path = ""): string | undefined => {
  if (typeof part === "string" && typeof whole === "string") {
    const pattern = asPattern(part);
    if (pattern ? pattern.test(whole) : whole === part) return undefined;
    return `${path || "(value)"}: expected ${quote(part)}, is ${quote(whole)}`;
  }
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return `${path}: expected a list, is ${quote(JSON.stringify(whole) ?? "nothing")}`;
    if (whole.length !== part.length) return `${path}: expected ${part.length} items, has ${whole.length}`;
    for (const [i, item] of part.entries()) {
      const fault = misfit(whole[i], item, `${path}[${i}]`);
      if (fault) return fault;
    }
    return undefined;
  }
  if (typeof part === "object" && part !== null) {
    if (typeof whole !== "object" || whole === null)
      return `${path || "(value)"}: expected an object, is ${quote(JSON.stringify(whole) ?? "nothing")}`;
    for (const [key, value] of Object.entries(part)) {
      const fault = misfit((whole as Record<string, unknown>)[key], value, path ? `${path}.${key}` : key);
      if (fault) return fault;
    }
    return undefined;
  }
  return Object.is(whole, part) ? undefined : `${path || "(value)"}: expected ${part}, is ${JSON.stringify(whole)}`;
};

/** Complaints when the parts do not appear among the values in this order. */
export const matchSequence = (what: string, values: unknown[], parts: unknown[]): string[] => {
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = values.findIndex((value, index) => index >= at && misfit(value, part) === undefined);
    if (found < 0)
      return [
        `${what}: nothing${i ? " after the one before" : ""} fits ${JSON.stringify(part)}; there is\n${values.map((v) => `    ${quote(JSON.stringify(v) ?? "")}`).join("\n")}`,
      ];
    at = found + 1;
  }
  return [];
};

const textsOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textsOf).join("\n");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .filter(([key]) => key !== "signature")
      .map(([, item]) => textsOf(item))
      .join("\n");
  return "";
};

/** Complaints about one request on the wire. */
export const matchRequest = (what: string, request: RecordedRequest, wanted: RequestMatcher): string[] => {
  const { body, headers } = request;
  const faults: string[] = [];
  const all = textsOf([body.system, body.messages]);
  for (const part of many(wanted.contains)) if (!shows(all, part)) faults.push(`${what}: lacks ${quote(part)}`);
  for (const part of many(wanted.notContains))
    if (shows(all, part)) faults.push(`${what}: must not contain ${quote(part)}`);
  if (wanted.system !== undefined) faults.push(...matchText(`${what} system`, textsOf(body.system), wanted.system));
  if (wanted.last !== undefined)
    faults.push(...matchText(`${what} last message`, textsOf(body.messages.at(-1)?.content), wanted.last));
  if (wanted.first !== undefined)
    faults.push(...matchText(`${what} first message`, textsOf(body.messages[0]?.content), wanted.first));
  if (wanted.messages !== undefined && body.messages.length !== wanted.messages)
    faults.push(`${what}: expected ${wanted.messages} messages, has ${body.messages.length}`);
  const offered = (body.tools ?? []).map(({ name }) => name);
  for (const name of wanted.tools ?? []) if (!offered.includes(name)) faults.push(`${what}: does not offer ${name}`);
  for (const name of wanted.notTools ?? []) if (offered.includes(name)) faults.push(`${what}: must not offer ${name}`);
  const fault = wanted.body && misfit(body, wanted.body);
  if (fault) faults.push(`${what} body ${fault}`);
  const headerFault = wanted.headers && misfit(headers, wanted.headers);
  if (headerFault) faults.push(`${what} header ${headerFault}`);
  return faults;
};

export interface CallResult {
  id: string;
  name: string;
  isError: boolean;
  text: string;
}

/** The result of every call the server made, in order, as it came back on the wire. Calls without one are left out. */
export const resultsOnWire = (requests: RecordedRequest[]): CallResult[] => {
  const results = new Map<string, { isError: boolean; text: string }>();
  for (const { body } of requests)
    for (const { content } of body.messages)
      for (const block of Array.isArray(content) ? content : [])
        if (block.type === "tool_result")
          results.set(String(block.tool_use_id), {
            isError: block.is_error === true,
            text: textsOf(block.content),
          });
  const calls = requests.flatMap(({ message }) => message?.content ?? []).filter(({ type }) => type === "tool_use");
  return calls.flatMap((call) => {
    const result = results.get(String(call.id));
    return result ? [{ id: String(call.id), name: String(call.name), ...result }] : [];
  });
};

const refusalWords = /den(y|ied)|refus|reject|declin|not allow|permission|forbid|not approved|cancel/i;

/** Complaints about the calls' results: `ok`, `error` (any failure), `denied` (a failure that speaks of a refusal). */
export const matchResults = (results: CallResult[], wanted: ("ok" | "error" | "denied")[]): string[] => {
  const kind = ({ isError, text }: CallResult) => (isError ? (refusalWords.test(text) ? "denied" : "error") : "ok");
  const seen = results.map((result) => `${result.name}: ${kind(result)} ${quote(result.text.slice(0, 200))}`);
  const fits =
    results.length === wanted.length &&
    results.every((result, i) => kind(result) === wanted[i] || (wanted[i] === "error" && result.isError));
  return fits ? [] : [`results: expected ${wanted.join(", ")}; were\n${seen.map((s) => `    ${s}`).join("\n")}`];
};
