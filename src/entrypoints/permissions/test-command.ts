// `claude permissions test`: what would happen to a command and why, without running it; or a whole table of cases.
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { ShellAnalyser } from "../../permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../permissions/bash/index.js";
import { decide } from "../../permissions/decide.js";
import { explain, explainText } from "../../permissions/explain.js";
import { parseMode } from "../../permissions/modes.js";
import { parseRules } from "../../permissions/rules.js";
import type { Behavior, Decision, DecisionContext, Rule } from "../../permissions/types.js";
import type { SubcommandIo } from "../subcommands.js";
import { fileRequest, fillPlaces, makeSetup, type PermissionCase, permissionCase } from "./cases.js";
import { openPlace, type Place } from "./place.js";

const usage = `Usage: claude permissions test "<command>" [--json] [--permission-mode MODE] [--settings FILE|JSON]
       claude permissions test --batch [--permission-mode MODE] [--settings FILE|JSON]   cases as JSON lines on stdin
Says what would happen to a shell command in this folder and why. Nothing is run.
Exit code: 0 allow or sandbox, 2 ask, 3 deny; with --batch 0.`;

const exitCodes: Readonly<Record<Behavior, number>> = { allow: 0, sandbox: 0, ask: 2, deny: 3 };

const decideShellCommand = (command: string, { context, env }: Place, analyse: ShellAnalyser): Decision => {
  const request = { tool: "Bash", input: { command }, facts: { reads: [], writes: [], command }, isReadOnly: false };
  return decide(request, context, analyse(command, { ...context, env }));
};

const caseRules = (rules: NonNullable<PermissionCase["rules"]>, root: string): Rule[] =>
  (["deny", "ask", "sandbox", "allow"] as const).flatMap(
    (behavior) => parseRules(rules[behavior] ?? [], { behavior, source: "project", root }).rules,
  );

type CaseOutcome = { outcome: string; checks: string[]; rule?: string; source?: string; error?: string };

const decideCase = (given: PermissionCase, place: Place, analyse: ShellAnalyser): CaseOutcome => {
  const { cwd: root, home } = place.context;
  const places = { root, home, out: join(dirname(root), "out") };
  const item = fillPlaces(given, places);
  const undo = makeSetup(item.setup ?? [], places);
  try {
    const context: DecisionContext = {
      ...place.context,
      mode: item.mode ?? place.context.mode,
      rules: item.rules ? caseRules(item.rules, root) : place.context.rules,
    };
    const { command = item.tool === "Bash" ? item.input?.command : undefined } = item;
    if (typeof command === "string") return brief(decideShellCommand(command, { ...place, context }, analyse));
    if (item.tool === undefined) throw new Error("a case needs a command, or a tool and its input");
    const { request, fails } = fileRequest(item.tool, item.input ?? {}, places);
    const found = brief(decide(request, context));
    return found.outcome === "allow" && fails ? { ...found, outcome: "error" } : found;
  } finally {
    undo();
  }
};

const brief = (decision: Decision): CaseOutcome => {
  const { outcome, checks, rule, source } = explain(decision);
  return { outcome, checks, rule, source };
};

/** One line of output for one line of input; a line that is no case gives an error, never an allow. */
const caseLine = (line: string, place: Place, analyse: ShellAnalyser): object => {
  let id: unknown;
  try {
    const raw: unknown = JSON.parse(line);
    id = (raw as { id?: unknown } | null)?.id;
    const parsed = permissionCase.safeParse(raw);
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
    const { outcome, checks, rule = null, source = null } = decideCase(parsed.data, place, analyse);
    return { id: id ?? null, outcome, checks, rule, source };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { id: id ?? null, outcome: "error", checks: [], rule: null, source: null, error: text };
  }
};

const runBatch = async (place: Place, io: SubcommandIo): Promise<number> => {
  const analyse = await loadShellAnalyser();
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== "") io.out(`${JSON.stringify(caseLine(line, place, analyse))}\n`);
  return 0;
};

const readOptions = (argv: string[]) => {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      batch: { type: "boolean" },
      help: { type: "boolean", short: "h" },
      "permission-mode": { type: "string" },
      settings: { type: "string" },
    },
  });
  const wanted = values["permission-mode"];
  const mode = wanted === undefined ? undefined : parseMode(wanted);
  if (wanted !== undefined && mode === undefined) throw new Error(`there is no permission mode "${wanted}"`);
  if (values.batch && positionals.length > 0) throw new Error("--batch reads its commands from standard input");
  return { ...values, mode, command: positionals.join(" ") };
};

const runTest = async (argv: string[], io: SubcommandIo): Promise<number> => {
  const options = readOptions(argv);
  if (options.help || (options.command === "" && !options.batch)) {
    (options.help ? io.out : io.err)(`${usage}\n`);
    return options.help ? 0 : 1;
  }
  const place = await openPlace({
    env: io.env,
    cwd: io.cwd,
    // In a table of cases an absent mode is the default one, whatever the settings start with.
    mode: options.mode ?? (options.batch ? "default" : undefined),
    settingsFlag: options.settings,
  });
  const broken = place.settings.problems.filter(({ fatal }) => fatal);
  if (broken.length > 0) {
    for (const { file, line, column, message } of broken)
      io.err(`${[file, line, column].filter((part) => part !== undefined).join(":")}: ${message}\n`);
    return 1;
  }
  if (options.batch) return runBatch(place, io);
  const decision = decideShellCommand(options.command, place, await loadShellAnalyser());
  const { mode } = place.context;
  if (options.json)
    io.out(`${JSON.stringify({ command: options.command, mode, trusted: place.isTrusted, ...explain(decision) })}\n`);
  else io.out(`${explainText(decision, mode)}${heldNote(place)}\n`);
  return exitCodes[decision.outcome];
};

const heldNote = ({ settings }: Place): string => {
  const held = settings.held.filter(({ path }) => path.startsWith("permissions."));
  return held.length === 0
    ? ""
    : `\n  note     this folder is not trusted: ${held.length} of its settings are not in force (${held.map(({ line }) => line).join("; ")})`;
};

/** Runs `claude permissions …` and returns its exit code. */
export const permissionsCommand = async (argv: string[], io: SubcommandIo): Promise<number> => {
  const [word, ...rest] = argv;
  if (word !== "test") {
    const isHelp = word === "--help" || word === "-h";
    (isHelp ? io.out : io.err)(`${usage}\n`);
    return isHelp ? 0 : 1;
  }
  try {
    return await runTest(rest, io);
  } catch (error) {
    io.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
