// Splits an argument list into flags with values and positional words, by the list in flags.ts. Pure and light.
import { nearest } from "../lib/nearest.js";
import { type Flag, flags } from "./flags.js";

export interface RawArgs {
  /** Flag name -> values in order; switches have none. A flag that is not a key was not given. */
  given: Map<string, string[]>;
  positionals: string[];
}

/** A wrong command line: its message is for the person, its exit code 1. */
export class ArgsProblem extends Error {
  override name = "ArgsProblem";
}

const byName = new Map(
  flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])].map((name) => [name, flag] as const)),
);

const flagOf = (token: string): Flag | undefined => {
  if (token.startsWith("--")) return byName.get(token.slice(2).split("=", 1)[0] ?? "");
  return token.length === 2 && token.startsWith("-") ? byName.get(token.slice(1)) : undefined;
};

/** The flag as people write it. */
const written = (flag: Flag): string => `--${flag.name}`;

/** Throws ArgsProblem for unknown flags, missing or wrong values, and flags that are not built. */
export const parseFlags = (argv: readonly string[]): RawArgs => {
  const tokens = argv.flatMap(expandShort);
  const raw: RawArgs = { given: new Map(), positionals: [] };
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    if (token === "--") {
      raw.positionals.push(...tokens.slice(at + 1));
      break;
    }
    if (!token.startsWith("-") || token === "-") {
      raw.positionals.push(token);
      at += 1;
      continue;
    }
    const flag = flagOf(token) ?? unknown(token);
    if (flag.isBuilt === false) throw new ArgsProblem(`${written(flag)} is not built into this version yet`);
    at += readFlag(flag, tokens, at, raw.given);
  }
  return raw;
};

/** `-pc` is `-p -c`, when all of it are switches. */
const expandShort = (token: string): string[] => {
  if (!/^-[A-Za-z]{2,}$/.test(token)) return [token];
  const letters = [...token.slice(1)];
  const areSwitches = letters.every(
    (letter) => (byName.get(letter)?.kind ?? "switch") === "switch" && byName.has(letter),
  );
  return areSwitches ? letters.map((letter) => `-${letter}`) : [token];
};

const unknown = (token: string): never => {
  const name = token.split("=", 1)[0] ?? token;
  const near = nearest(
    name.replace(/^-+/, ""),
    [...byName.keys()].filter((known) => known.length > 1),
  );
  const hint = near === undefined ? "" : `\n(Did you mean --${near}?)`;
  throw new ArgsProblem(`unknown option '${name}'${hint}`);
};

/** Reads one flag at `at` into `given`; returns how many tokens it took. */
const readFlag = (flag: Flag, tokens: readonly string[], at: number, given: Map<string, string[]>): number => {
  const token = tokens[at]!;
  const equals = token.startsWith("--") ? token.indexOf("=") : -1;
  const inline = equals === -1 ? undefined : token.slice(equals + 1);
  const values = given.get(flag.name) ?? [];
  given.set(flag.name, values);
  const kind = flag.kind ?? "switch";
  if (kind === "switch") {
    if (inline !== undefined) throw new ArgsProblem(`option '${written(flag)}' takes no value`);
    return 1;
  }
  if (inline !== undefined) {
    addValue(flag, inline, values);
    return 1;
  }
  const next = tokens[at + 1];
  if (kind === "optional") {
    if (next === undefined || next.startsWith("-")) return 1;
    addValue(flag, next, values);
    return 2;
  }
  if (next === undefined || next === "--" || flagOf(next) !== undefined)
    throw new ArgsProblem(`option '${written(flag)} <${flag.value}>' needs a value`);
  addValue(flag, next, values);
  return kind === "list" ? 2 + takeMore(flag, tokens, at + 2, values) : 2;
};

/** Further elements of a list, as long as the words look like some: a prompt may follow. Returns how many it took. */
const takeMore = (flag: Flag, tokens: readonly string[], from: number, values: string[]): number => {
  let taken = 0;
  for (let next = tokens[from]; next !== undefined && looksLikeElement(flag, next); next = tokens[from + taken]) {
    addValue(flag, next, values);
    taken += 1;
  }
  return taken;
};

const rulePattern = /^(?:[A-Z][A-Za-z]*|[a-z]+(?:_[a-z]+)+|mcp__[\w*-]+|\*)(?:\(.*\))?$/s;

const looksLikeElement = (flag: Flag, token: string): boolean => {
  if (token === "" || token.startsWith("-")) return false;
  if (flag.elements === "configs") return /^\{[\s\S]*\}$/.test(token) || /^\S+\.json$/.test(token);
  if (flag.elements === "paths") return !/\s/.test(token) && (token.includes("/") || /^[.~]/.test(token));
  return splitRules(token).every((rule) => rulePattern.test(rule));
};

const addValue = (flag: Flag, value: string, values: string[]): void => {
  if (value === "" && flag.mayBeEmpty !== true)
    throw new ArgsProblem(`option '${written(flag)} <${flag.value}>' needs a value`);
  if (flag.kind !== "list") {
    checkValue(flag, value);
    values.push(value);
    return;
  }
  const elements = flag.elements === "paths" || flag.elements === "configs" ? [value] : splitRules(value);
  for (const element of elements) checkValue(flag, element);
  values.push(...elements);
};

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const checkValue = (flag: Flag, value: string): void => {
  const say = (what: string) => new ArgsProblem(`option '${written(flag)} <${flag.value}>': "${value}" ${what}`);
  if (flag.choices !== undefined && !flag.choices.includes(value)) throw say(`is none of ${flag.choices.join(", ")}`);
  if (flag.type === "count" && !/^\d{1,15}$/.test(value)) throw say("is not a whole number");
  if (flag.type === "dollars" && !(/^\d*\.?\d+$/.test(value) && Number(value) > 0))
    throw say("is not an amount above 0");
  if (flag.type === "uuid" && !uuidShape.test(value)) throw say("is not a UUID");
};

/** Splits at commas and white space outside parentheses and quotes: `Read, "Bash(git log *)" Edit`. */
const splitRules = (text: string): string[] => {
  const rules: string[] = [];
  let rule = "";
  let depth = 0;
  let quote = "";
  for (const char of text) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else rule += char;
    } else if (depth === 0 && (char === '"' || char === "'")) quote = char;
    else if (depth === 0 && /[\s,]/.test(char)) {
      if (rule !== "") rules.push(rule);
      rule = "";
    } else {
      if (char === "(") depth += 1;
      if (char === ")") depth = Math.max(0, depth - 1);
      rule += char;
    }
  }
  if (rule !== "") rules.push(rule);
  return rules;
};
