// The engine in a process of its own: so many rounds, each a run of many turns and a compaction. Prints the heap after each, in bytes.
import { systemClock } from "../../../src/platform/clock.js";
import type { Request } from "../../../src/protocol/requests.js";
import { createQueryEngine } from "../../../src/query/query-engine.js";

const [, , rounds = "4"] = process.argv;
const engine = await createQueryEngine({
  env: { ...process.env },
  cwd: process.cwd(),
  flags: { tools: ["Read"] },
  isInteractive: true,
  mayStartTour: false,
  includeStream: false,
  entrypoint: "cli",
  version: "0.0.0-test",
  clock: systemClock,
  random: Math.random,
});
const send = async (request: Request): Promise<void> => {
  const events = engine.submit(request);
  while (!(await events.next()).done);
};
await send({ type: "open" });
const heaps: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  await send({ type: "prompt", text: `round ${round}` });
  await send({ type: "prompt", text: "/compact" });
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed);
}
console.log(JSON.stringify(heaps));
process.exit(0);
