// When a process started: with its pid, what tells a living owner from a number that was given away since.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Start time of a process in the system's own units; "" when it has ended, undefined when the system does not tell. */
export const processStartTime = (pid: number): string | undefined => {
  try {
    if (process.platform === "linux") {
      const line = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The command name in parentheses may hold spaces; field 22 of proc(5) is the 20th behind it.
      const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? "" : fields[19]; // a zombie has ended
    }
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return process.platform === "linux" ? "" : undefined; // no such process, or no ps
  }
};
