// Random interrupts: no descendant of any command survives. LONG=1 runs the full number.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createShellRunner } from "../../../src/platform/shell/runner.js";

const commands = [
  "sleep 320",
  "sleep 321 & sleep 322 & wait",
  "(setsid sleep 323 &) ; sleep 324",
  "env -i setsid -f sleep 325; sleep 326",
  "trap '' TERM INT HUP; while :; do sleep 327; done",
  "bash -c 'sleep 328 | cat' & exec sleep 329",
  "for i in 1 2 3 4 5; do (while :; do sleep 0.05; done) & done; wait",
];

it("F084 F094 after every interrupt, at any moment, nothing is left", async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "kills-")));
  const shell = createShellRunner({ tmpDir: dir });
  try {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...commands), fc.nat({ max: 80 }), async (command, afterMs) => {
        const outcome = await shell.run({
          command,
          cwd: dir,
          env: { PATH: process.env.PATH },
          timeoutMs: 30_000,
          signal: AbortSignal.timeout(afterMs),
          outputPath: join(dir, "o"),
        });
        expect(outcome.interrupted).toBe(true);
        expect(await shell.processes()).toEqual([]);
      }),
      { seed: 20261130, numRuns: process.env.LONG ? 200 : 12, endOnFailure: true },
    );
  } finally {
    await shell.killAll();
    rmSync(dir, { recursive: true, force: true });
  }
}, 600_000);
