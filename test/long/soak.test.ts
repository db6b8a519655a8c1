// A short piece of the soak of `npm run bench -- soak`: descriptors and processes stay as they were, memory comes back.
import { expect, onTestFinished, test } from "vitest";
import { Bed } from "../../scripts/bench/bed.js";
import { growthOf, soakHeadless, soakScreen } from "../../scripts/bench/soak.js";
import { launcher } from "../helpers/workspace.js";

const isLong = process.env.LONG === "1";
const turns = isLong ? 400 : 40;
const target = { name: "claude", command: launcher, args: [] };

/** The screen costs a pty: only in the long run. */
const kinds = [["headless", soakHeadless] as const, ...(isLong ? [["on a screen", soakScreen] as const] : [])];

test.each(kinds)(
  `F039 ${turns} turns of every kind %s leave no descriptor and no process behind`,
  {
    timeout: 60_000 + turns * 3_000,
  },
  async (_name, play) => {
    const bed = await Bed.make();
    onTestFinished(() => bed.dispose());
    const samples = await play(bed, target, turns, Math.floor(turns / 20));
    expect(samples).toHaveLength(20);
    expect(growthOf(samples, ({ descriptors }) => descriptors)).toBeLessThanOrEqual(3);
    expect(growthOf(samples, ({ processes }) => processes)).toBeLessThanOrEqual(0);
    expect(Math.max(...samples.map(({ memoryMb }) => memoryMb))).toBeLessThan(500);
  },
);
