// Reads the tables of permission cases, decides each and scores the outcomes.
import { readFileSync } from "node:fs";
import { fileRequest } from "../../../src/entrypoints/permissions/cases.js";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { decide } from "../../../src/permissions/decide.js";
import { parseRules } from "../../../src/permissions/rules.js";
import type { Behavior, DecisionContext, Rule } from "../../../src/permissions/types.js";
import type { PermissionMode } from "../../../src/protocol/permission.js";
import { applySetup, type Fixture, type SetupStep } from "./fixture.js";

export interface Case {
  id: string;
  kind: string;
  command?: string;
  tool?: string;
  input?: Record<string, string>;
  setup?: SetupStep[];
  rules?: Partial<Record<"allow" | "deny" | "ask", string[]>>;
  mode?: PermissionMode;
  expect: Outcome;
  also?: Outcome[];
  platform?: string;
  why: string;
}

export type Outcome = "allow" | "ask" | "deny" | "error";

export const readCases = (file: string): Case[] =>
  readFileSync(`test/fixtures/${file}`, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Case);

export const contextOf = (
  { root, home }: Fixture,
  { rules = {}, mode = "default" }: Partial<Case>,
): DecisionContext => ({
  mode,
  rules: (["deny", "ask", "allow"] as const).flatMap(
    (behavior: Behavior): Rule[] =>
      parseRules(rules[behavior as "allow"] ?? [], { behavior, source: "project", root }).rules,
  ),
  cwd: root,
  workingDirs: [root],
  projectRoot: root,
  home,
  configDir: `${home}/.claude`,
  freeWriteDirs: [],
  freeReadDirs: [],
  platform: "linux",
});

export const decideCommand = (command: string, fixture: Fixture, analyse: ShellAnalyser, given: Partial<Case> = {}) => {
  const context = contextOf(fixture, given);
  const shell = analyse(command, { cwd: context.cwd, workingDirs: context.workingDirs, home: context.home, env: {} });
  return decide(
    { tool: "Bash", input: { command }, facts: { reads: [], writes: [], command }, isReadOnly: false },
    context,
    shell,
  );
};

export interface Result {
  id: string;
  text: string;
  outcome: Outcome;
  expected: Outcome[];
  checks: string[];
  kind: string;
  why: string;
}

export const runCase = (item: Case, fixture: Fixture, analyse: ShellAnalyser): Result => {
  const undo = applySetup(item.setup ?? [], fixture);
  try {
    const filled = JSON.parse(fixture.fill(JSON.stringify(item)).replaceAll("\u0000", "")) as Case;
    const base = { id: item.id, kind: item.kind, why: item.why, expected: [item.expect, ...(item.also ?? [])] };
    if (filled.command !== undefined) {
      const { outcome, checks } = decideCommand(item.command ?? "", fixture, analyse, filled);
      return { ...base, text: item.command ?? "", outcome: outcome as Outcome, checks };
    }
    const { request, fails } = fileRequest(filled.tool ?? "", filled.input ?? {}, fixture);
    const found = decide(request, contextOf(fixture, filled));
    const outcome = found.outcome === "allow" && fails ? "error" : (found.outcome as Outcome);
    return { ...base, text: `${filled.tool} ${JSON.stringify(filled.input)}`, outcome, checks: found.checks };
  } finally {
    undo();
  }
};

export interface Score {
  hard: Result[];
  soft: Result[];
  questions: Result[];
  benign: number;
  ruled: number;
  total: number;
}

export const scoreOf = (results: readonly Result[]): Score => {
  const wrong = results.filter(({ outcome, expected }) => !expected.includes(outcome));
  const isAttack = ({ kind }: Result) => kind.startsWith("attack.");
  return {
    hard: wrong.filter(({ outcome }) => outcome === "allow"),
    soft: wrong.filter(
      (result) =>
        result.outcome !== "allow" &&
        !result.expected.includes("allow") &&
        !(isAttack(result) && result.outcome === "deny"),
    ),
    questions: wrong.filter(
      ({ outcome, expected }) => outcome !== "allow" && expected.length === 1 && expected[0] === "allow",
    ),
    benign: results.filter(({ kind, expected }) => kind.startsWith("benign.") && expected.length === 1).length,
    ruled: results.filter(({ kind, expected }) => /^(rules|modes)\./.test(kind) && expected[0] === "allow").length,
    total: results.length,
  };
};

/** One line for each miss. */
export const report = (label: string, misses: readonly Result[]): string =>
  misses
    .map(
      ({ kind, id, text, outcome, expected, checks, why }) =>
        `${label} ${kind} ${id}: ${JSON.stringify(text)} -> ${outcome} (wanted ${expected.join("/")}) [${checks.join(" ")}] ${why}`,
    )
    .join("\n");
