// npm run bench [-- startup echo …]: measures the built program against its budgets, and a peer when BENCH_PEER names one.

import { launcher } from "../test/helpers/workspace.js";
import { Bed } from "./bench/bed.js";
import { type Cost, timeRuns } from "./bench/machine.js";
import { groups, type Measure } from "./bench/rows.js";
import type { Target } from "./bench/session.js";

const usage = `npm run bench [-- GROUP …]   groups: ${groups.map(({ name }) => name).join(", ")}
BENCH_PEER=COMMAND            measures that program beside ours`;

const short = (value: number): string => (Number.isNaN(value) ? "none" : value.toFixed(value < 10 ? 2 : 0));

/** Runs a group; a failure is a row of its own, so that one broken measurement does not hide the rest. */
const measure = async (group: (typeof groups)[number], target: Target, n: Cost): Promise<Measure[] | string> => {
  const bed = await Bed.make();
  try {
    return await group.run({ bed, target, n });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await bed.dispose();
  }
};

const peerColumn = (row: Measure, peer: Measure[] | string | undefined): string => {
  if (peer === undefined) return "no peer";
  if (typeof peer === "string") return "peer failed";
  const value = peer.find(({ what }) => what === row.what)?.value;
  return value === undefined ? "peer failed" : `peer ${short(value)}, ratio ${short(row.value / value)}`;
};

const print = (columns: string[]) => {
  const widths = [54, 26, 18, 7, 24];
  process.stdout.write(
    `${columns
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()}\n`,
  );
};

const main = async (names: string[]): Promise<number> => {
  const unknown = names.filter((name) => !groups.some((group) => group.name === name));
  if (unknown.length) {
    process.stderr.write(`Unknown: ${unknown.join(", ")}\n${usage}\n`);
    return 1;
  }
  const us: Target = { name: "claude", command: launcher, args: [] };
  const [command, ...args] = process.env.BENCH_PEER?.split(" ") ?? [];
  const peer: Target | undefined = command ? { name: command, command, args } : undefined;
  const env = { PATH: process.env.PATH ?? "" };
  const n = timeRuns(11, process.execPath, ["-e", "0"], env, "/");
  process.stdout.write(
    `N = ${n.wallMs.toFixed(0)} ms wall, ${n.cpuMs.toFixed(0)} ms CPU (node -e 0, Node ${process.version})\n\n`,
  );
  print(["what", "value", "budget", "verdict", "peer", "best peer measured"]);
  let missed = 0;
  for (const group of groups) {
    if (names.length && !names.includes(group.name)) continue;
    const rows = await measure(group, us, n);
    if (typeof rows === "string") {
      missed += 1;
      print([group.name, "-", "-", "FAILED", rows]);
      continue;
    }
    const peerRows = peer && (await measure(group, peer, n));
    for (const row of rows) {
      const isWithin = row.value <= row.budget;
      if (!isWithin) missed += 1;
      print([
        row.what,
        `${short(row.value)} ${row.unit}${row.note ? ` (${row.note})` : ""}`,
        `<= ${row.budget} ${row.unit}`,
        isWithin ? "ok" : "OVER",
        row.budgetOnly && peerRows === undefined ? "-" : peerColumn(row, peerRows),
        row.bestPeer ?? "",
      ]);
    }
  }
  process.stdout.write(`\n${missed ? `${missed} over budget or failed` : "all within budget"}\n`);
  return missed ? 1 : 0;
};

process.exitCode = await main(process.argv.slice(2));
