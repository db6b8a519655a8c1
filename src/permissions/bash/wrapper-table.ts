// Programs that run another command given as their operands, with their real option grammar.
import type { OptionGrammar } from "./options.js";

export interface Wrapper extends OptionGrammar {
  /** Operands in front of the wrapped command. */
  skip?: number;
  /** `NAME=value` operands in front of the command are assignments. */
  hasAssignments?: boolean;
  /** Option whose value is shell text. */
  textOption?: readonly string[];
  /** All operands together are shell text. */
  isText?: boolean;
  /** The command ends at this word. */
  until?: readonly string[];
  /** Peeled for every purpose; others only so that deny and ask rules see through them. */
  isHarmless?: boolean;
  /** Options that keep it from being peeled. */
  notWith?: readonly string[];
  /** Long options without a value, so that abbreviations of the others are seen. */
  longPlain?: readonly string[];
}

const split = (text: string): string[] => text.split(" ");

const posix = (wrapper: Wrapper): Wrapper => ({ isPosix: true, ...wrapper });

/** Keywords that the parser may take for programs: deny rules look behind them. */
const keywords = split("do then else elif if while until ! {");

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...keywords.map((name): [string, Wrapper] => [name, posix({ hasAssignments: true })]),
  ...Object.entries({
    timeout: posix({
      valued: "ks",
      longValued: split("kill-after signal"),
      longPlain: split("preserve-status foreground verbose"),
      skip: 1,
      isHarmless: true,
    }),
    nice: posix({ valued: "n", longValued: ["adjustment"], isHarmless: true }),
    nohup: posix({ isHarmless: true }),
    time: posix({
      isHarmless: true,
      notWith: ["-o", "-f", "-a", "-v", "--output", "--format", "--append", "--verbose"],
    }),
    stdbuf: posix({ valued: "ioe", longValued: split("input output error"), isHarmless: true }),
    command: posix({ isHarmless: true, notWith: ["-v", "-V"] }),
    builtin: posix({ isHarmless: true }),
    sudo: posix({
      valued: "ughpCrtTUDR",
      longValued: split("user group host prompt close-from role type command-timeout other-user chdir chroot"),
      hasAssignments: true,
    }),
    doas: posix({ valued: "uC" }),
    su: posix({
      valued: "csgG",
      longValued: split("command shell group supp-group"),
      textOption: ["-c", "--command"],
      skip: 1,
    }),
    env: posix({
      valued: "uCS",
      longValued: split("unset chdir split-string"),
      textOption: ["-S", "--split-string"],
      hasAssignments: true,
    }),
    exec: posix({ valued: "a" }),
    setsid: posix({}),
    ionice: posix({ valued: "cnpPu", longValued: split("class classdata pid") }),
    chrt: posix({ valued: "TPD", skip: 1 }),
    taskset: posix({ skip: 1 }),
    flock: posix({
      valued: "wEc",
      longValued: split("timeout wait conflict-exit-code command"),
      textOption: ["-c", "--command"],
      skip: 1,
    }),
    watch: posix({ valued: "nq", longValued: split("interval equexit"), isText: true }),
    busybox: posix({}),
    toybox: posix({}),
    chroot: posix({ longValued: split("userspec groups"), skip: 1 }),
    unshare: posix({ valued: "SGRw", longValued: split("setuid setgid root wd map-user map-group propagation") }),
    nsenter: posix({ valued: "tSG", longValued: split("target setuid setgid") }),
    strace: posix({ valued: "oepsSubEIaPOX", longValued: split("output trace attach user") }),
    ltrace: posix({ valued: "oepsuanlxA", longValued: split("output") }),
    script: posix({ valued: "cEoIOBTm", longValued: split("command"), textOption: ["-c", "--command"], skip: 1 }),
    "systemd-run": posix({
      valued: "puMHE",
      longValued: split("unit property description slice uid gid nice setenv on-active working-directory"),
    }),
    proot: posix({ valued: "rbqwvkS", longValued: split("rootfs bind cwd") }),
    caffeinate: posix({ valued: "tw" }),
    gosu: posix({ skip: 1 }),
    runuser: posix({ valued: "ucgG", longValued: split("user command group"), textOption: ["-c", "--command"] }),
    setpriv: posix({ longValued: split("reuid regid groups") }),
    prlimit: posix({}),
    "ssh-agent": posix({ valued: "at" }),
    coproc: posix({}),
    fakeroot: posix({}),
    pkexec: posix({ longValued: ["user"] }),
    firejail: posix({}),
    faketime: posix({ skip: 1 }),
    rlwrap: posix({}),
    unbuffer: posix({}),
    xargs: posix({
      valued: "adEInLPs",
      glued: "eil",
      longValued: split("arg-file delimiter max-lines max-args max-procs max-chars process-slot-var replace eof"),
      longPlain: split("null open-tty interactive no-run-if-empty show-limits verbose exit"),
    }),
    parallel: posix({
      valued: "jaINnLdPSs",
      longValued: split("jobs arg-file colsep results joblog delay timeout retries sshlogin workdir"),
      until: [":::", "::::", ":::+"],
    }),
  }),
]);

/** Programs that run as shells: their `-c` text, standard input or script file is shell text. */
export const shells: ReadonlySet<string> = new Set(split("sh bash zsh dash ksh ash mksh rbash fish"));
