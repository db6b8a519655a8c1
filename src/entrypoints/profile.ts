// Start-up checkpoints, printed at exit when CLAUDE_PROFILE_STARTUP=1.
import { performance } from "node:perf_hooks";

const isOn = process.env.CLAUDE_PROFILE_STARTUP === "1";
const marks: { name: string; atMs: number; cpuMs: number }[] = [];

/** Notes that this point of the start was reached. Costs nothing when profiling is off. */
export const checkpoint = (name: string): void => {
  if (!isOn) return;
  const { user, system } = process.cpuUsage();
  marks.push({ name, atMs: performance.now(), cpuMs: (user + system) / 1000 });
};

if (isOn)
  process.on("exit", () => {
    const lines = marks.map(
      ({ name, atMs, cpuMs }) => `${atMs.toFixed(1).padStart(8)} ms  ${cpuMs.toFixed(1).padStart(8)} ms cpu  ${name}`,
    );
    process.stderr.write(`start-up (since the process began):\n${lines.join("\n")}\n`);
  });
