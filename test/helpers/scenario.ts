// Plays a scenario: workspace, scripted model, the built program headless or in a pty, then looks at what came of it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { MouseButton } from "./keys.js";
import { makeImage, makePdf } from "./media.js";
import type { ModelAnswer } from "./model-script.js";
import { type AnswerSource, type ModelServer, startModelServer } from "./model-server.js";
import type { Pty } from "./pty.js";
import {
  matchRequest,
  matchResults,
  matchSequence,
  matchText,
  misfit,
  resultsOnWire,
  shows,
} from "./scenario-match.js";
import { fillIn, type MadeSpec, type Scenario, type Step } from "./scenario-schema.js";
import { startWebServer, type WebServer } from "./web-server.js";
import { type FileSpec, Workspace } from "./workspace.js";

export interface PlayOptions {
  /** Shows the pty's output as it comes, with this pause between steps. */
  slow?: { write: (data: string) => void; pauseMs: number };
  /** Keep the folder (its path is in the failure's text). */
  keep?: boolean;
  /** Another program than bin/claude: the runner's own tests. */
  program?: string;
}

/** A person needs this long from seeing a dialog to pressing a key; dialogs ignore keys in the first 400 ms. */
const readingMs = 600;

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const size = (text: string): [number, number] => {
  const [cols = 80, rows = 24] = text.split("x").map(Number);
  return [cols, rows];
};

/** What lies beside a session's transcript and is none: its audit and its decisions. */
const isBeside = (name: string): boolean => ["audit.jsonl", "why.jsonl"].includes(basename(name));

/** The transcript written last in the workspace's configuration folder, parsed line by line. */
export const readTranscript = (workspace: Workspace): Record<string, unknown>[] => {
  const root = join(workspace.configDir, "projects");
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl") && !isBeside(name))
    .map((name) => join(root, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  const newest = files.at(-1);
  if (!newest) return [];
  return readFileSync(newest, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

/** What an answer may name although it is drawn by lot: found in the request, its newest mention. */
const drawnByLot: Record<string, RegExp> = {
  plan: /\/[^"`\s]*\/plans\/[\w-]+\.md/g,
  task: /\bb[0-9a-z]{7}\b(?=\. Its output goes to)/g, // a background command
};

/** An answer that names {{plan}} or {{task}} gets the plan file's path or the task's id that the request speaks of. */
const withDrawnNames = (answer: ModelAnswer): AnswerSource => {
  const text = JSON.stringify(answer);
  const names = Object.keys(drawnByLot).filter((name) => text.includes(`{{${name}}}`));
  if (names.length === 0) return answer;
  return ({ body }) => {
    const messages = JSON.stringify(body.messages);
    return JSON.parse(
      names.reduce(
        (filled, name) =>
          filled.replaceAll(`{{${name}}}`, messages.match(drawnByLot[name]!)?.at(-1) ?? `no-${name}-named`),
        text,
      ),
    );
  };
};

const madeFile = async (spec: MadeSpec): Promise<FileSpec> => {
  const bytes = "pdf" in spec ? makePdf(spec.pdf) : await makeImage(...size(spec.png));
  return { base64: bytes.toString("base64") };
};

const madeFiles = async ({ made }: Scenario): Promise<Record<string, FileSpec>> => {
  const files = Object.entries(made).map(async ([path, spec]) => [path, await madeFile(spec)] as const);
  return Object.fromEntries(await Promise.all(files));
};

/** The scenario's web server; undefined when it has no pages. */
const startSite = async ({ site }: Scenario): Promise<WebServer | undefined> => {
  if (!site) return undefined;
  const pages = Object.entries(site).map(([path, page]) => {
    if (typeof page === "string") return [path, page] as const;
    const { body, type, status, location } = page;
    return [
      path,
      { body, status, headers: { ...(type && { "content-type": type }), ...(location && { location }) } },
    ] as const;
  });
  return startWebServer(Object.fromEntries(pages));
};

/** Folder and servers of a scenario, placeholders filled in. */
export const prepareScenario = async (
  raw: Scenario,
  program?: string,
): Promise<{ scenario: Scenario; workspace: Workspace; server: ModelServer; site?: WebServer }> => {
  const sides = raw.side.map(({ when }) => ({ when, answers: [] as ModelAnswer[] }));
  const server = await startModelServer({
    sideAnswers: sides.map(({ when, answers }) => ({
      when: ({ body }) => matchText("side", JSON.stringify(body), when).length === 0,
      answers,
    })),
    strict: raw.strict,
    promptLimit: raw.promptLimit,
  });
  const workspace = new Workspace({
    trusted: raw.trusted,
    server: raw.credentials ? server : undefined,
    env: raw.env,
    program,
  });
  const site = await startSite(raw);
  const scenario = fillIn(raw, {
    project: workspace.project,
    home: workspace.home,
    config: workspace.configDir,
    site: site?.url ?? "",
  });
  workspace.populate({ ...scenario, files: { ...scenario.files, ...(await madeFiles(scenario)) } });
  server.push(...(scenario.model as ModelAnswer[]).map(withDrawnNames));
  for (const [i, side] of sides.entries()) side.answers.push(...((scenario.side[i]?.answers ?? []) as ModelAnswer[]));
  return { scenario, workspace, server, site };
};

/** Arguments of the program: `prompt` is short for -p. */
export const scenarioArgs = ({ args, prompt }: Scenario): string[] =>
  prompt === undefined ? args : [...args, "-p", prompt];

const isPty = ({ mode, user }: Scenario): boolean => (mode ?? (user.length ? "pty" : "headless")) === "pty";

interface Run {
  scenario: Scenario;
  workspace: Workspace;
  server: ModelServer;
  options: PlayOptions;
}

const playHeadless = async ({ scenario, workspace, server }: Run): Promise<string[]> => {
  const faults: string[] = [];
  const { stdin, timeoutMs, expect } = scenario;
  // Gates of a headless scenario open when the next step names them; nobody is there to look at a screen.
  const released = (async () => {
    for (const { turn, release, write } of scenario.user) {
      if (turn) await server.waitForTurn(turn, timeoutMs);
      for (const [path, content] of Object.entries(write ?? {})) workspace.write(path, content);
      if (release) server.release(release);
    }
  })();
  const result = await workspace.runCli(scenarioArgs(scenario), { stdin, timeoutMs });
  await released;
  const wantedExit = expect.exit ?? 0;
  if (result.code !== wantedExit)
    faults.push(
      `exit: expected ${wantedExit}, was ${result.code ?? result.signal}\n  stdout: ${result.stdout}\n  stderr: ${result.stderr}`,
    );
  if (expect.stdout !== undefined) faults.push(...matchText("stdout", result.stdout, expect.stdout));
  if (expect.stderr !== undefined) faults.push(...matchText("stderr", result.stderr, expect.stderr));
  if (expect.json) {
    const fault = misfit(JSON.parse(result.stdout), expect.json);
    if (fault) faults.push(`stdout JSON ${fault}`);
  }
  if (expect.lines) {
    const lines = result.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    faults.push(...matchSequence("stdout lines", lines, expect.lines));
  }
  return faults;
};

/** Waits as the step says, then does what it says. */
const doStep = async (pty: Pty, step: Step, { workspace, server, options, scenario }: Run): Promise<void> => {
  if (step.turn) await server.waitForTurn(step.turn, scenario.timeoutMs);
  const see = [step.see ?? []].flat();
  for (const text of see) await pty.waitUntil(() => shows(pty.text(), text), JSON.stringify(text), scenario.timeoutMs);
  for (const text of [step.notSee ?? []].flat())
    await pty.waitUntil(() => !shows(pty.text(), text), `the end of ${JSON.stringify(text)}`, scenario.timeoutMs);
  const acts = step.type ?? step.paste ?? step.press ?? step.mouse;
  if (see.length && acts !== undefined) await delay(readingMs);
  if (options.slow) await delay(options.slow.pauseMs);
  if (step.wait) await delay(step.wait);
  for (const [path, content] of Object.entries(step.write ?? {})) workspace.write(path, content);
  if (step.release) server.release(step.release);
  if (step.resize) {
    pty.resize(...size(step.resize));
    await pty.settle();
  }
  if (step.type !== undefined) {
    pty.type(step.type);
    await pty.settle();
  }
  if (step.paste !== undefined) {
    pty.paste(step.paste);
    await pty.settle();
  }
  for (const key of [step.press ?? []].flat()) {
    pty.press(key);
    await pty.settle(20, 500);
  }
  if (step.mouse) pty.mouse(step.mouse.button as MouseButton, step.mouse.x, step.mouse.y);
  if (step.signal) pty.kill(step.signal as NodeJS.Signals);
  if (step.exit !== undefined) {
    const { code, signal } = await pty.exit;
    if (code !== step.exit) throw new Error(`exit: expected ${step.exit}, was ${signal ?? code}\n${pty.picture()}`);
  }
};

const startMs = 15_000; // a start on a busy machine, whatever the scenario's own limit is

const waitForPrompt = (pty: Pty): Promise<void> =>
  pty.waitUntil(() => pty.modeIsSet(2004) || pty.hasExited, "the program to take input", startMs);

/** Waits until every expected turn has been answered to its end and the screen rests. */
const waitForWork = async (pty: Pty, { scenario, server }: Run): Promise<void> => {
  const turns = scenario.after.turns ?? scenario.model.length;
  if (turns > 0 && scenario.credentials)
    await Promise.race([server.waitForAnswer(turns, scenario.timeoutMs), pty.exit]);
  await pty.settle(150);
};

const playPty = async (run: Run): Promise<string[]> => {
  const { scenario, workspace, options } = run;
  const [cols, rows] = size(scenario.size);
  const start = (args: string[]) =>
    workspace.startCli(args, {
      cols,
      rows,
      timeoutMs: scenario.timeoutMs,
      onData: options.slow?.write,
    });
  let pty = start(scenarioArgs(scenario));
  if (!scenario.user[0]?.see) await waitForPrompt(pty);
  for (const [i, step] of scenario.user.entries()) {
    try {
      if (step.restart) {
        await pty.dispose();
        pty = start(step.restart);
        if (!step.see) await waitForPrompt(pty);
      }
      await doStep(pty, step, run);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return [`step ${i + 1} ${JSON.stringify(step)}: ${text}`];
    }
  }
  const faults: string[] = [];
  try {
    if (!pty.hasExited) await waitForWork(pty, run);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  if (!pty.hasExited) {
    pty.kill("SIGTERM");
    await Promise.race([pty.exit, delay(5_000)]);
    if (!pty.hasExited) faults.push(`the program did not end on SIGTERM in 5 s\n${pty.picture()}`);
    else if (pty.modeIsSet(1049) || pty.modeIsSet(2004) || !pty.cursor().isVisible)
      faults.push("the terminal was not restored on SIGTERM");
  }
  return faults;
};

const readJson = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

/** Last permission mode that the transcript tells of. */
const lastMode = (lines: Record<string, unknown>[]): unknown =>
  lines.findLast(({ permissionMode }) => permissionMode !== undefined)?.permissionMode;

const lookAfter = ({ scenario, workspace, server }: Run): string[] => {
  const { after } = scenario;
  const faults: string[] = server.violations.map((text) => `the model server refused a request: ${text}`);
  for (const [path, wanted] of Object.entries(after.files)) {
    if (!workspace.exists(path)) faults.push(`${path}: does not exist`);
    else faults.push(...matchText(path, workspace.read(path), wanted, true));
  }
  for (const path of after.absent) if (workspace.exists(path)) faults.push(`${path}: should not exist`);
  const turns = server.turns();
  if (after.turns !== undefined && turns.length !== after.turns)
    faults.push(`turns: expected ${after.turns}, were ${turns.length}`);
  if (after.results) faults.push(...matchResults(resultsOnWire(turns), after.results));
  let next = 1;
  for (const wanted of after.requests) {
    const n = wanted.turn ?? next;
    next = n + 1;
    const request = turns[n - 1];
    if (request) faults.push(...matchRequest(`request ${n}`, request, wanted));
    else faults.push(`request ${n}: was never made`);
  }
  const sides = server.requests.filter(({ kind }) => kind === "side");
  if (after.side && sides.length !== after.side.length)
    faults.push(`side requests: expected ${after.side.length}, were ${sides.length}`);
  for (const [i, wanted] of (after.side ?? []).entries()) {
    const request = sides[i];
    if (request) faults.push(...matchRequest(`side request ${i + 1}`, request, wanted));
  }
  const lines = after.transcript.length || after.mode ? readTranscript(workspace) : [];
  faults.push(...matchSequence("transcript", lines, after.transcript));
  if (after.mode && lastMode(lines) !== after.mode)
    faults.push(`mode: expected ${after.mode}, was ${JSON.stringify(lastMode(lines))}`);
  for (const [wanted, file] of [
    [after.settings, join(workspace.configDir, "settings.json")],
    [after.localSettings, workspace.path(".claude/settings.local.json")],
  ] as const) {
    const fault = wanted && misfit(readJson(file), wanted);
    if (fault) faults.push(`${file}: ${fault}`);
  }
  return faults;
};

/** Plays a scenario to its end. Throws an Error that lists everything that is not as expected. */
export const playScenario = async (raw: Scenario, options: PlayOptions = {}): Promise<void> => {
  const { scenario, workspace, server, site } = await prepareScenario(raw, options.program);
  const run: Run = { scenario, workspace, server, options };
  try {
    const faults = isPty(scenario) ? await playPty(run) : await playHeadless(run);
    faults.push(...lookAfter(run));
    if (faults.length)
      throw new Error(
        `scenario ${scenario.name} (${scenario.title})${options.keep ? ` in ${workspace.root}` : ""}:\n${faults.map((f) => `- ${f}`).join("\n")}`,
      );
  } finally {
    await server.close();
    await site?.close();
    if (!options.keep) await workspace.dispose();
  }
};
