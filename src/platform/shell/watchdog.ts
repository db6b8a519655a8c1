// A small shell that waits for our end, however it comes, and then ends what our commands left behind.
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { markFd } from "./ledger.js";
import { markVariable } from "./shell-env.js";

export interface Watchdog {
  /** Ends it without doing anything. */
  stop(): void;
}

// $1 mark, $2 folder of temporary files, $3 name of the variable without its last word.
const script = `
read -r _
n=0
while [ "$n" -lt 40 ]; do
  if [ -r /proc/self/environ ]; then
    pids=$( { grep -lsaF -- "$3MARK=$1" /proc/[0-9]*/environ; grep -lsa -- "$3MARK=[^=]*$1" /proc/[0-9]*/environ; } | cut -d/ -f3
      ls -l /proc/[0-9]*/fd/${markFd} 2>/dev/null | sed -n "s|.*/proc/\\([0-9]*\\)/fd/${markFd} -> .*$1.*|\\1|p")
  else
    pids=$(ps -axEww -o pid=,command= | awk -v a="$3" -v b="MARK=" -v m="$1" 'index($0, a b) && index($0, m) && $2 !~ /awk/ {print $1}')
  fi
  [ -z "$pids" ] && break
  kill -9 $pids 2>/dev/null
  n=$((n + 1))
done
rm -rf -- "$2"
`;

/** Starts the watchdog. It costs one sleeping process and reads a pipe that closes when we are gone. */
export const startWatchdog = (mark: string, folder: string): Watchdog => {
  const child: ChildProcess = spawn("/bin/sh", ["-c", script, "sh", mark, folder, markVariable.replace(/MARK$/, "")], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.on("error", () => undefined); // no /bin/sh: then there is no guard, commands still run
  child.stdin?.on("error", () => undefined);
  child.unref();
  (child.stdin as Socket | null)?.unref();
  return { stop: () => child.kill("SIGKILL") };
};
