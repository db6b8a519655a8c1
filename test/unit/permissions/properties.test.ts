// Properties of the shell analysis: what is denied stays denied in every construct, what is allowed stays so when joined.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { decideCommand } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

vi.setConfig({ testTimeout: 300_000 }); // the full numbers of LONG=1

let fixture: Fixture;
let analyse: ShellAnalyser;

beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const runs = { seed: 2026, numRuns: process.env.LONG ? 20_000 : 400 };

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Constructs around a command; every one runs it, or may. */
const constructs: Record<string, (inner: string) => string> = {
  list: (x) => `ls; ${x}`,
  and: (x) => `true && ${x}`,
  or: (x) => `false || ${x}`,
  pipe: (x) => `ls | ${x}`,
  newline: (x) => `ls\n${x}`,
  subshell: (x) => `(${x})`,
  group: (x) => `{ ${x}; }`,
  ifBody: (x) => `if true; then ${x}; fi`,
  condition: (x) => `if ${x}; then ls; fi`,
  elseBody: (x) => `if false; then ls; else ${x}; fi`,
  elif: (x) => `if false; then ls; elif true; then ${x}; fi`,
  forBody: (x) => `for i in 1 2; do ${x}; done`,
  whileBody: (x) => `while false; do ${x}; done`,
  until: (x) => `until ${x}; do ls; done`,
  caseBody: (x) => `case a in a) ${x} ;; esac`,
  function: (x) => `f() { ${x}; }; f`,
  negation: (x) => `! ${x}`,
  substitution: (x) => `echo $(${x})`,
  quotedSubstitution: (x) => `echo "a $(${x}) b"`,
  processSubstitution: (x) => `cat <(${x})`,
  heredoc: (x) => `cat <<EOF\n$(${x})\nEOF`,
  herestring: (x) => `cat <<< "$(${x})"`,
  assignment: (x) => `a=$(${x})`,
  prefix: (x) => `LANG=$(${x}) ls`,
  default: (x) => `echo "\${a:-$(${x})}"`,
  test: (x) => `[ -n "$(${x})" ]`,
  doubleTest: (x) => `[[ -n $(${x}) ]]`,
  loopList: (x) => `for i in $(${x}); do ls; done`,
  redirectTarget: (x) => `ls > "$(${x})"`,
  array: (x) => `a=( $(${x}) )`,
  subscript: (x) => `a[$(${x})]=1`,
  arithmetic: (x) => `echo $(( $(${x}) + 1 ))`,
  shell: (x) => `bash -c ${single(x)}`,
  loginShell: (x) => `sh -lc ${single(x)}`,
  eval: (x) => `eval ${single(x)}`,
  trap: (x) => `trap ${single(x)} EXIT`,
  shellHeredoc: (x) => `bash <<'EOT'\n${x}\nEOT`,
  shellHerestring: (x) => `sh <<< ${single(x)}`,
  su: (x) => `su -c ${single(x)} root`,
  ssh: (x) => `ssh host ${single(x)}`,
  watch: (x) => `watch -n 1 ${single(x)}`,
  envText: (x) => `env -S ${single(x)}`,
};

/** Words in front of a simple command. */
const fronts = [
  "sudo",
  "sudo -u root",
  "env",
  "env -i A=1",
  "timeout 5",
  "timeout -k 1 -s KILL 5",
  "nice -n 3",
  "nohup",
  "time",
  "stdbuf -oL",
  "command",
  "builtin",
  "exec",
  "setsid",
  "ionice -c3",
  "busybox",
  "xargs -n1",
  "flock .lock",
  "chroot /",
  "strace -f",
  "2>/dev/null",
  "coproc",
  "doas",
];
const assignments = ["", "FOO=1 ", "A=1 B='x y' ", "PATH=./bin:$PATH "];

const wrapped = fc
  .tuple(
    fc.constantFrom(...assignments),
    fc.array(fc.constantFrom(...fronts), { maxLength: 3 }),
    fc.array(fc.constantFrom(...Object.keys(constructs)), { maxLength: 3 }),
  )
  .map(([assignment, front, names]) =>
    names.reduce(
      (text, name) => (constructs[name] as (inner: string) => string)(text),
      assignment + [...front, "forbidden --now a.txt"].join(" "),
    ),
  );

test("a denied command stays denied in every construct and behind every wrapper", () => {
  const rules = { allow: ["Bash"], deny: ["Bash(forbidden:*)"] };
  fc.assert(
    fc.property(wrapped, (command) => {
      const { outcome } = decideCommand(command, fixture, analyse, { rules });
      if (outcome === "deny") return true;
      // What does not parse (a here-document inside another, `! f() …`) or parses otherwise than in bash must at least ask.
      const { findings } = analyse(command, { cwd: fixture.root, workingDirs: [], home: fixture.home, env: {} });
      return outcome === "ask" && findings.some(({ check }) => check === "P1" || check === "P3");
    }),
    runs,
  );
});

const harmless = [
  "ls",
  "ls src",
  "cat a.txt",
  "git status",
  "grep -n foo a.txt",
  "echo 'a b'",
  "wc -l < a.txt",
  "head -3 README.md",
  "find src -name '*.ts'",
  "git log --oneline -3",
  "test -f a.txt",
  "jq .name package.json",
];

test("two allowed commands stay allowed when joined", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...harmless),
      fc.constantFrom(...harmless),
      fc.constantFrom("&&", ";", "|", "||", "\n"),
      (a, b, joint) => {
        const { outcome, reasons } = decideCommand(`${a} ${joint} ${b}`, fixture, analyse);
        expect([outcome, reasons.map(({ text }) => text).filter(() => outcome !== "allow")]).toEqual(["allow", []]);
      },
    ),
    runs,
  );
});

const dangerous = [
  "touch x",
  "rm a.txt",
  "git push",
  "ls > out",
  "sort -o x a.txt",
  "find . -delete",
  "cat /etc/passwd",
  "sed -i s/a/b/ a.txt",
  "npm test",
  "curl http://x",
];

/** Quotes one word, or leaves it. */
const requote = (word: string, how: number): string => {
  if (/[<>'"\\$]/.test(word)) return word;
  return [word, `'${word}'`, `"${word}"`, `${word[0]}''${word.slice(1)}`, `\\${word}`][how] ?? word;
};

test("blanks, comments and quotes never turn a question into an allow", () => {
  const rules = { deny: ["Bash(rm *)"] };
  fc.assert(
    fc.property(
      fc.constantFrom(...dangerous),
      fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }),
      fc.constantFrom(" ", "  ", "\t", " \\\n "),
      fc.constantFrom("", " # note", "\n# note", " ;"),
      (command, how, blank, end) => {
        const words = command.split(" ").map((word, index) => requote(word, how[index] ?? 0));
        return decideCommand(words.join(blank) + end, fixture, analyse, { rules }).outcome !== "allow";
      },
    ),
    runs,
  );
});

test("no text makes the analysis throw, and nothing that fails is allowed", () => {
  const pieces = fc.constantFrom(
    "ls",
    "rm",
    " ",
    "$(",
    ")",
    "`",
    "'",
    '"',
    "${",
    "}",
    "<<EOF",
    "\n",
    ";",
    "&&",
    "|",
    ">",
    "<",
    "[[",
    "]]",
    "((",
    "))",
    "\\",
    "a",
    "*",
    "{",
    ",",
    "~",
    "#",
    "if",
    "then",
    "fi",
    "=",
    "&",
    "!",
    "case",
    "esac",
    "\u0000",
    "é",
    "EOF",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const { outcome, reasons } = decideCommand(parts.join(""), fixture, analyse);
      expect(
        reasons.every(({ text }) => !text.includes("check itself failed") && !text.includes("analysis failed")),
      ).toBe(true);
      // `rm` never runs unasked, however it is reached.
      if (outcome === "allow") expect(reasons.some(({ text }) => /(^|[;&|]\s*)rm /.test(text))).toBe(false);
    }),
    runs,
  );
});

test("a decision costs little: under 3 ms of processor time each", () => {
  const rounds = 200;
  for (const command of harmless) decideCommand(command, fixture, analyse);
  const before = process.cpuUsage();
  for (let index = 0; index < rounds; index++)
    decideCommand(harmless[index % harmless.length] ?? "ls", fixture, analyse);
  const { user, system } = process.cpuUsage(before);
  // Processor time, since other tests run beside this one.
  expect((user + system) / 1000 / rounds).toBeLessThan(3);
});
