// npm run scenario NAME [--slow | --sandbox | --record] [--keep]: plays one, shows it, hands it over, or writes one.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { playScenario, prepareScenario, scenarioArgs } from "../test/helpers/scenario.js";
import { loadScenario, type Scenario, scenarioSchema } from "../test/helpers/scenario-schema.js";
import { launcher } from "../test/helpers/workspace.js";
import { recordScenario } from "./record.js";

const folder = resolve(import.meta.dirname, "../test/scenarios");
const pauseMs = 900; // between the steps of a slow showing

const usage = `npm run scenario NAME            plays test/scenarios/NAME.yaml without showing it
npm run scenario NAME -- --slow      shows it in this terminal, with pauses
npm run scenario NAME -- --sandbox   sets up its files and its model, and hands you the program
npm run scenario NAME -- --record    you use the program (arguments after a second --), the session becomes NAME.yaml
   --keep                            leaves the temporary folder in place`;

const names = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -5))
    .sort();

const find = (name: string): Scenario => {
  const file = existsSync(name) ? name : join(folder, `${name}.yaml`);
  if (!existsSync(file)) {
    process.stderr.write(`There is no scenario ${name}. There are:\n  ${names().join("\n  ")}\n`);
    process.exit(1);
  }
  return loadScenario(file);
};

const showSlowly = async (scenario: Scenario, keep: boolean): Promise<void> => {
  const write = (data: string) => void process.stdout.write(data);
  await playScenario({ ...scenario, mode: scenario.mode ?? "pty" }, { slow: { write, pauseMs }, keep });
};

/** Files, settings and scripted model of a scenario, the real program, your keys. */
const handOver = async (raw: Scenario, keep: boolean): Promise<void> => {
  const { scenario, workspace, server, site } = await prepareScenario(raw);
  process.stderr.write(`${scenario.title}\nFolder: ${workspace.project}\n`);
  for (const { type, press, see } of scenario.user)
    process.stderr.write(
      `  ${[see && `see ${see}`, type && `type ${type}`, press && `press ${press}`].filter(Boolean).join(", ")}\n`,
    );
  const child = spawn(launcher, scenario.user.length ? scenario.args : scenarioArgs(scenario), {
    cwd: workspace.project,
    env: workspace.env({ TERM: process.env.TERM, COLORTERM: process.env.COLORTERM }),
    stdio: "inherit",
  });
  process.on("SIGINT", () => {});
  const code = await new Promise((done) => child.on("close", done));
  await server.close();
  await site?.close();
  process.stderr.write(`Ended with ${code}. ${server.turns().length} turns, ${server.remaining()} answers left.\n`);
  for (const violation of server.violations) process.stderr.write(`Refused: ${violation}\n`);
  if (keep) process.stderr.write(`Kept: ${workspace.root}\n`);
  else await workspace.dispose();
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slow: { type: "boolean", default: false },
    sandbox: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [name, ...rest] = positionals;
if (!name || values.help) {
  process.stdout.write(`${usage}\n\nScenarios:\n  ${names().join("\n  ")}\n`);
} else if (values.record) {
  const file = join(folder, `${name}.yaml`);
  const basis = existsSync(file) ? loadScenario(file) : { ...scenarioSchema.parse({ title: name }), name };
  await recordScenario(basis, rest, file);
} else if (values.sandbox) await handOver(find(name), values.keep);
else {
  const scenario = find(name);
  try {
    if (values.slow) await showSlowly(scenario, values.keep);
    else await playScenario(scenario, { keep: values.keep });
    process.stdout.write(`\n${scenario.name}: ok\n`);
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
