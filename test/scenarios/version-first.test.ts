// --version answers from its own few lines: everything else of the bundle may be broken.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createWorkspace } from "../helpers/fixtures.js";
import { launcher } from "../helpers/workspace.js";

const staticImport = /import(?:\{[^}]*\}from)?\s*"\.\/([\w-]+\.js)"/g;

test("--version answers though every other chunk of the bundle throws", async () => {
  const workspace = createWorkspace();
  const home = dirname(dirname(launcher));
  const copy = join(workspace.root, "copy");
  mkdirSync(join(copy, "bin"), { recursive: true });
  cpSync(launcher, join(copy, "bin/claude"));
  cpSync(join(home, "package.json"), join(copy, "package.json"));
  cpSync(join(home, "dist"), join(copy, "dist"), { recursive: true });
  const dist = join(copy, "dist");
  // What cli.js itself imports is loaded in any case: a few lines.
  const own = [
    "cli.js",
    ...[...readFileSync(join(dist, "cli.js"), "utf8").matchAll(staticImport)].map(([, name]) => name),
  ];
  expect(own.reduce((bytes, name) => bytes + statSync(join(dist, `${name}`)).size, 0)).toBeLessThan(5_000);
  for (const name of readdirSync(dist).filter((file) => file.endsWith(".js")))
    if (!own.includes(name)) writeFileSync(join(dist, name), 'throw new Error("loaded too early");\n');
  for (const flag of ["--version", "-v", "-V"]) {
    const { code, stdout, stderr } = await workspace.run(join(copy, "bin/claude"), [flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^3\.\d+\.\d+ \(compatible with Claude Code/);
  }
  expect((await workspace.run(join(copy, "bin/claude"), ["-p", "hi"])).stderr).toContain("loaded too early");
});

test("CLAUDE_PROFILE_STARTUP prints the checkpoints of a headless start, which loads no component", async () => {
  const { stderr } = await createWorkspace().runCli(["-p", "hi"], { env: { CLAUDE_PROFILE_STARTUP: "1" } });
  expect(stderr).toContain("headless run");
  expect(stderr).not.toContain("components loaded");
});
