// Matches rule contents against what they name: shell texts, hosts, agents, skills and plain parameters.
import type { Rule } from "./types.js";

const escapeRegExp = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

const compiled = new Map<string, RegExp>();
const maxCompiled = 2000; // rules are few; this only bounds a pathological settings file

/** The pattern of a Bash rule: `prefix:*` equals `prefix *`; a blank before the last `*` also matches nothing after it. */
const commandPattern = (content: string): RegExp => {
  const known = compiled.get(content);
  if (known) return known;
  const text = (content.endsWith(":*") ? `${content.slice(0, -2)} *` : content).trim().replace(/[ \t]+/g, " ");
  // An escaped star is a plain one, with or without the backslash in the command.
  const body = (part: string): string =>
    part
      .split(/(\\\*|\*)/)
      .map((piece) => (piece === "*" ? ".*" : piece === "\\*" ? "\\\\?\\*" : escapeRegExp(piece)))
      .join("");
  const pattern = text.endsWith(" *") ? `${body(text.slice(0, -2))}(?: .*)?` : body(text);
  const regExp = new RegExp(`^${pattern}$`, "s");
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(content, regExp);
  return regExp;
};

/** Whether a Bash rule's content covers one simple command's text. */
export const matchesCommand = (content: string, text: string): boolean => commandPattern(content).test(text);

/** Whether a Bash rule has a wildcard, so that it also covers arguments nobody wrote out. */
export const isWildcard = (content: string): boolean => /(?<!\\)\*/.test(content);

/** Whether a `domain:` rule covers a URL. `*.x.y` covers only subdomains; a `*` inside stays within one label. */
export const matchesDomain = (content: string, url: string): boolean => {
  const wanted = content
    .match(/^domain:(.+)$/)?.[1]
    ?.trim()
    .toLowerCase();
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, "") : undefined;
  if (!wanted || !host) return false;
  if (wanted === "*") return true;
  if (wanted.startsWith("*.")) return new RegExp(`\\.${labels(wanted.slice(2))}$`).test(host);
  return new RegExp(`^${labels(wanted)}$`).test(host);
};

const labels = (text: string): string => text.split("*").map(escapeRegExp).join("[^.]*");

const withWildcard = (pattern: string, value: string): boolean =>
  new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`, "s").test(value);

/** Whether a skill rule (`name` or `name *`) covers a call with these arguments. */
const matchesSkill = (content: string, input: Record<string, unknown>): boolean => {
  const name = String(input.skill ?? input.name ?? "").replace(/^\//, "");
  const args = String(input.args ?? input.arguments ?? "").trim();
  return matchesCommand(content, args === "" ? name : `${name} ${args}`);
};

const primaryFields = new Set(["command", "file_path", "path", "notebook_path", "url"]);

/** `param:value` of a deny or ask rule: a top-level scalar that was given and equals the value. */
const matchesParameter = (content: string, input: Record<string, unknown>): boolean => {
  const [, name, wanted] = content.match(/^([A-Za-z_][A-Za-z0-9_]*):(.*)$/s) ?? [];
  if (name === undefined || wanted === undefined || primaryFields.has(name) || !Object.hasOwn(input, name))
    return false;
  const value = input[name];
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar && withWildcard(wanted, String(value));
};

/** Whether the content of a rule for a tool other than the shell and the file tools covers this call. */
export const matchesContent = (rule: Rule, tool: string, input: Record<string, unknown>): boolean => {
  const { content } = rule;
  if (content === undefined) return true;
  if (tool === "WebFetch" && content.startsWith("domain:")) return matchesDomain(content, String(input.url ?? ""));
  if (tool === "Agent" && String(input.subagent_type ?? "") === content) return true;
  if (tool === "Skill" && matchesSkill(content, input)) return true;
  return rule.behavior !== "allow" && matchesParameter(content, input);
};
