// Every file in test/scenarios/ is one test.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { playScenario } from "./helpers/scenario.js";
import { loadScenario } from "./helpers/scenario-schema.js";

const folder = join(import.meta.dirname, "scenarios");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .sort();

describe.concurrent("scenarios", () => {
  test.each(names)("%s", { timeout: 150_000 }, (name) => playScenario(loadScenario(join(folder, name))));
});
