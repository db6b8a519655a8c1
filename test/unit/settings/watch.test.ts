// Changes of settings files are told once, also when their folder did not exist before.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type SettingsWatch, watchSettings } from "../../../src/settings/watch.js";

let base: string;
let watching: SettingsWatch | undefined;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "watch-")));
});
afterEach(async () => {
  watching?.close();
  await rm(base, { recursive: true, force: true });
});

/** Starts watching and gives the next report. */
const reports = (files: string[]): (() => Promise<string[]>) => {
  const waiting: ((changed: string[]) => void)[] = [];
  watching = watchSettings(files, (changed) => waiting.shift()?.(changed));
  return () => new Promise((resolve) => waiting.push(resolve));
};

test("a written file is reported, another file beside it is not", async () => {
  const file = join(base, "settings.json");
  await writeFile(file, "{}");
  const next = reports([file])();
  await writeFile(join(base, "other.txt"), "x");
  await writeFile(file, '{"verbose":true}');
  expect(await next).toEqual([file]);
});

test("a folder that appears later is followed into", async () => {
  const file = join(base, ".claude", "settings.json");
  const next = reports([file]);
  const appeared = next();
  await mkdir(join(base, ".claude"));
  expect(await appeared).toEqual([file]);
  const written = next();
  await writeFile(file, "{}");
  expect(await written).toEqual([file]);
});
