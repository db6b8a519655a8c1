import { expect, test } from "vitest";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";

const turns = process.env.LONG ? 5_000 : 240;
const perCompaction = process.env.LONG ? 200 : 60;

test(`F039 memory stays flat over ${turns} turns with 10 KB results and a compaction every ${perCompaction}`, {
  timeout: process.env.LONG ? 1_800_000 : 120_000,
}, async () => {
  const { workspace, server } = await engineWorld(
    { strict: false },
    { files: { "a.txt": "ten words that stand here to fill one line\n".repeat(230) } },
  );
  const session = await openEngine(workspace, { clock: handClock(), flags: { tools: ["Read"], persist: true } });
  const heaps: number[] = [];
  for (let done = 0; done < turns; done += perCompaction) {
    for (let at = 1; at < perCompaction; at += 1)
      server.push({ calls: [{ Read: { file_path: workspace.path("a.txt") } }] });
    server.push({ say: "done" });
    await session.prompt(`round ${done}`);
    server.push({ say: "## State\nall read" });
    await session.prompt("/compact");
    // What the test itself holds must not count.
    server.requests.length = 0;
    session.events.length = 0;
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed);
  }
  expect(server.violations).toEqual([]);
  const warm = heaps.slice(1);
  const growthMb = ((warm.at(-1) ?? 0) - (warm[0] ?? 0)) / 1e6;
  // Below 1 MB per 100 turns; a sample this short is allowed the noise of the collector.
  expect(growthMb).toBeLessThan(process.env.LONG ? turns / 100 : 25);
  await session.close();
});
