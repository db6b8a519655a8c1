// Every known kind of bypass by its name: forms of a command that must never run unasked, nor slip past a deny rule.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { decideCommand, readCases, runCase } from "./cases.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let analyse: ShellAnalyser;
beforeAll(async () => {
  fixture = makeFixture();
  analyse = await loadShellAnalyser();
});
afterAll(() => fixture.dispose());

const kinds: Record<string, string[]> = {
  "arithmetic that runs a substitution": ["echo $((x[$(id>y)]))", "[[ a[$(id>y)] -eq 1 ]]", "let 'a[$(id>y)]=1'"],
  "names known only at run time": ["$CMD x", "a=rm; $a x", "${0##-} -c id", "$(echo rm) x", "r''m x", 'eval "$x"'],
  "variables that load code or change the shell": [
    "LD_PRELOAD=./x.so ls",
    "PATH=.:$PATH ls",
    "BASH_ENV=x bash -c :",
    "GIT_EXTERNAL_DIFF=./x git diff",
    "PAGER=./x git log",
    "IFS=x ls",
  ],
  "options that write": [
    "sort --output=x a.txt",
    "sort -ox a.txt",
    "tree -o x",
    "git log --output=x",
    "uniq a.txt x",
    "sed -n 'w x' a.txt",
    "awk '{print > \"x\"}' a.txt",
  ],
  "options that run a program": [
    "rg --pre ./x foo",
    "git grep -O./x foo",
    "man -P ./x ls",
    "git -c core.pager=./x log",
    "git diff --ext-diff",
    "sort --compress-program=./x a.txt",
    "find . -execdir ./x {} +",
    "tar -I ./x -tf a.tar",
  ],
  "git subcommands and configuration that change or run": [
    "git -c alias.z='!id' z",
    "git config core.hooksPath .",
    "git branch new",
    "git tag new",
    "git remote add x y",
    "git --exec-path=. log",
    "git worktree add ../x",
  ],
  "hidden text": ["echo a\u0000b", "echo a\r\nrm x\r", "ls \u202Ex", "ls\u00a0-la", "echo \u001b[8m"],
  interpreters: [
    "python3 -c 1",
    "node -e 1",
    "perl -e 1",
    "ruby -e 1",
    "sh -c ls",
    "bash x.sh",
    "awk 'BEGIN{system(\"id\")}'",
    "source x.sh",
    ". ./x.sh",
  ],
  "programs that reach the network": [
    "curl x.y",
    "wget x.y",
    "nc x 1",
    "cat < /dev/tcp/x/1",
    "git fetch",
    "ssh x",
    "dig x.y",
  ],
  "reads outside the folders": [
    "cat /etc/shadow",
    "cat ~/.ssh/id_rsa",
    "ls ../..",
    "grep x $HOME/.netrc",
    "cd / && cat etc/passwd",
    "head < /etc/passwd",
    "find / -name x",
    "cat ~root/x",
  ],
  "text the parser cannot read": ["echo 'open", "echo $(ls", "if true; then ls", "cat <<E\nx", "ls )", 'echo "${x'],
  redirections: [
    "ls > x",
    "ls >> x",
    "ls >| x",
    "ls &> x",
    "ls 2> x",
    ": > x",
    "cat <> x",
    "ls > >(tee x)",
    "exec 3> x",
  ],
  "sed programs that write or run": [
    "sed -i s/a/b/ a.txt",
    "sed 's/a/id/e' a.txt",
    "sed 'w x' a.txt",
    "sed '1e id' a.txt",
    "sed -f x a.txt",
    "sed -n '/a/{w x\n}' a.txt",
  ],
  "separators in every form": [
    "ls;touch x",
    "ls&touch x",
    "ls|tee x",
    "ls||touch x",
    "ls\ntouch x",
    "ls |& tee x",
    "{ touch x; }",
    "(touch x)",
    "! touch x",
  ],
  substitutions: [
    "echo `touch x`",
    "echo $(touch x)",
    "cat <(touch x)",
    "echo ${x:-$(touch x)}",
    'echo "$(touch x)"',
    "cat <<E\n$(touch x)\nE",
    "a=$(touch x)",
  ],
  wrappers: [
    "env touch x",
    "nohup touch x",
    "timeout 1 touch x",
    "xargs touch < a.txt",
    "command touch x",
    "builtin eval ls",
    "nice -n 1 touch x",
    "setsid touch x",
    "busybox touch x",
    "find . -exec touch x ;",
    "watch ls",
  ],
  "removal of what must not go": [
    "rm -rf /",
    "rm -rf ~",
    "rm -rf .",
    'rm -rf "$X"/*',
    "rm -r ..",
    "rmdir /usr",
    "find / -delete",
  ],
};

describe.each(Object.entries(kinds))("%s", (_, commands) => {
  test.each(commands)("%j does not run unasked", (command) => {
    expect(decideCommand(command, fixture, analyse).outcome).not.toBe("allow");
    const accepting = decideCommand(command, fixture, analyse, { mode: "dontAsk" });
    expect(accepting.outcome).toBe("deny");
  });
});

const spellings = [
  "rm x",
  "\\rm x",
  "'rm' x",
  "r\\m x",
  "/bin/rm x",
  "command rm x",
  "env rm x",
  "FOO=1 rm x",
  "ls; rm x",
  "ls && rm x",
  "echo $(rm x)",
  "echo `rm x`",
  "(rm x)",
  "{ rm x; }",
  "if true; then rm x; fi",
  "for i in 1; do rm x; done",
  "f() { rm x; }; f",
  "xargs rm < a.txt",
  "find . -exec rm {} +",
  "timeout 1 rm x",
  "nohup rm x",
  "sudo rm x",
  "bash -c 'rm x'",
  "rm x > y",
  "> y rm x",
  "$(echo) rm x",
  "! rm x",
  "time rm x",
  "cat <(rm x)",
  "busybox rm x",
];
test.each(spellings)("a denied command stays denied or asks as %j, although every command is allowed", (command) => {
  const rules = { allow: ["Bash"], deny: ["Bash(rm *)"] };
  expect(decideCommand(command, fixture, analyse, { rules }).outcome).not.toBe("allow");
});

const tables = ["bash-permissions.jsonl", "path-permissions.jsonl"].flatMap(readCases);
const named = [...new Set(tables.map(({ kind }) => kind))].filter((kind) => !kind.startsWith("benign."));
test.each(named)("no case of the kind %s that must not be allowed comes out as allow", (kind) => {
  const wrong = tables
    .filter((item) => item.kind === kind)
    .map((item) => runCase(item, fixture, analyse))
    .filter(({ outcome, expected }) => outcome === "allow" && !expected.includes("allow"));
  expect(wrong).toEqual([]);
});
