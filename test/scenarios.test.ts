// Every file in test/scenarios/ is one test.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { noSandbox, sandboxTitle } from "./helpers/sandbox.js";
import { playScenario } from "./helpers/scenario.js";
import { loadScenario } from "./helpers/scenario-schema.js";

const folder = join(import.meta.dirname, "scenarios");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .sort();
const needSandbox = names.filter((name) => loadScenario(join(folder, name)).needs === "sandbox");

const play = (name: string): Promise<void> => playScenario(loadScenario(join(folder, name)));

describe.concurrent("scenarios", () => {
  test.each(names.filter((name) => !needSandbox.includes(name)))("%s", { timeout: 150_000 }, play);
  for (const name of needSandbox)
    test.skipIf(noSandbox !== undefined)(sandboxTitle(name), { timeout: 150_000 }, () => play(name));
});
