// Everyday commands: what only reads is never asked about, what changes something is.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { decideCommand } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

const lines = readFileSync("test/fixtures/everyday-commands.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const changing = lines.filter((line) => line.startsWith("ask ")).map((line) => line.slice("ask ".length));
const reading = lines.filter((line) => !line.startsWith("ask "));

let fixture: Fixture;
let analyse: ShellAnalyser;
beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const notAsExpected = (commands: readonly string[], expected: string): string[] =>
  commands.flatMap((command) => {
    const { outcome, checks, reasons } = decideCommand(command, fixture, analyse);
    return outcome === expected ? [] : [`${command} -> ${outcome} [${checks.join(" ")}] ${reasons[0]?.text}`];
  });

test("there are two hundred that only read, and none of them asks", () => {
  expect(new Set(reading).size).toBeGreaterThanOrEqual(200);
  expect(notAsExpected(reading, "allow")).toEqual([]);
});

test("those that change something, or look outside, ask", () => {
  expect(notAsExpected(changing, "ask")).toEqual([]);
});
