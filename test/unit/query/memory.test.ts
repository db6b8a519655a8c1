import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { testKey, Workspace } from "../../helpers/workspace.js";

const rounds = process.env.LONG ? 25 : 4;
const perRound = process.env.LONG ? 200 : 60;

test(`F039 memory stays flat over ${rounds * perRound} turns with 10 KB results and a compaction every ${perRound}`, {
  timeout: process.env.LONG ? 1_800_000 : 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "memory-"));
  const workspace = new Workspace({ files: { "a.txt": "ten words that stand here to fill one line\n".repeat(230) } });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    await workspace.dispose();
  });
  symlinkSync(resolve(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  await build({
    entryPoints: ["run", "server"].map((name) => join(import.meta.dirname, `fixture-memory-${name}.tsx`)),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
  });
  const script = (name: string): string => join(folder, `fixture-memory-${name}.mjs`);
  const server = spawn(process.execPath, [script("server"), workspace.path("a.txt"), String(perRound)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill());
  const [address] = (await once(server.stdout, "data")) as [Buffer];
  const { stdout, stderr } = await workspace.run(process.execPath, ["--expose-gc", script("run"), String(rounds)], {
    env: { ANTHROPIC_BASE_URL: String(address).trim(), ANTHROPIC_API_KEY: testKey },
    timeoutMs: process.env.LONG ? 1_700_000 : 170_000,
  });
  expect(stderr).toBe("");
  const warm = (JSON.parse(stdout) as number[]).slice(1);
  expect(warm).toHaveLength(rounds - 1);
  // Below 1 MB per 100 turns; a sample this short is allowed what caches fill at first.
  expect((warm.at(-1)! - warm[0]!) / 1e6).toBeLessThan(Math.max(5, (rounds * perRound) / 100));
  expect(Math.max(...warm) / 1e6).toBeLessThan(500);
});
