// A call from a worktree: what stays inside passes on to the usual decision, what would change the main checkout is refused.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ShellAnalyser } from "../../../src/permissions/bash/analysis.js";
import { loadShellAnalyser } from "../../../src/permissions/bash/index.js";
import { parseRule } from "../../../src/permissions/rules.js";
import type { DecisionContext, Rule } from "../../../src/permissions/types.js";
import { rulesInWorktree, worktreeRefusal } from "../../../src/permissions/worktree.js";

let analyse: ShellAnalyser;
const base = realpathSync(mkdtempSync(join(tmpdir(), "worktree-")));
const main = join(base, "repo");
const own = join(main, ".claude/worktrees/fix-1");
beforeAll(async () => {
  for (const folder of ["src", ".git"]) mkdirSync(join(main, folder), { recursive: true });
  mkdirSync(join(own, "src"), { recursive: true });
  writeFileSync(join(main, "src/a.ts"), "");
  symlinkSync(join(main, "src"), join(own, "linked"));
  analyse = await loadShellAnalyser();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const allow = (text: string): Rule => parseRule(text, { behavior: "allow", source: "user", root: main }) as Rule;
const place = { path: own, mainRoot: main };
const fill = (text: string): string => text.replaceAll("MAIN", main).replaceAll("OWN", own);

const context = (rules: Rule[]): DecisionContext => ({
  ...{ mode: "bypassPermissions", rules, cwd: own, workingDirs: [own, main], projectRoot: main, home: base },
  ...{ configDir: join(base, ".claude"), freeWriteDirs: [], freeReadDirs: [], platform: "linux" },
});

const judge = (request: { command?: string; writes?: string[]; reads?: string[] }, rules: Rule[] = []) => {
  const { command, writes = [], reads = [] } = request;
  const facts = { reads, writes, ...(command === undefined ? {} : { command }) };
  const shell =
    command === undefined ? undefined : analyse(command, { cwd: own, workingDirs: [own], home: base, env: {} });
  const tool = command === undefined ? "Edit" : "Bash";
  return worktreeRefusal({ tool, input: {}, facts, isReadOnly: false }, context(rules), place, shell);
};

describe("F178 what works in a worktree", () => {
  it("may not write files of the main checkout, and is told the place to use instead", () => {
    const refusal = judge({ writes: [join(main, "src/a.ts")] });
    expect(refusal?.outcome).toBe("deny");
    expect(refusal?.reasons[0]?.text).toContain(`use ${join(own, "src/a.ts")}`);
  });

  it.each(["../../../src/a.ts", "linked/a.ts", "MAIN/.claude/worktrees/other/a.ts", "MAIN/.git/config"])(
    "may not write %s",
    (path) => expect(judge({ writes: [fill(path)] })?.outcome).toBe("deny"),
  );

  it.each(["a.ts", "OWN/src/new.ts", "src/../b.ts", "/tmp/x"])("may write %s as the rules say", (path) =>
    expect(judge({ writes: [fill(path)] })).toBeUndefined(),
  );

  it.each([
    "cd MAIN && git commit -am x",
    "cd MAIN && ls",
    "cd ../../.. && git commit -am x",
    "(cd MAIN; npm test)",
    "pushd MAIN && make",
    "git -C MAIN checkout -b y",
    "git -C ../../.. checkout -b y",
    "git --git-dir=MAIN/.git commit -am x",
    "git --git-dir MAIN/.git --work-tree MAIN add -A",
    "GIT_DIR=MAIN/.git git commit -am x",
    "GIT_DIR=MAIN/.git GIT_WORK_TREE=MAIN git add -A",
    "export GIT_DIR=MAIN/.git; git commit -am x",
    "env -C MAIN git commit -am x",
    "make -C../../..",
    "git update-ref refs/heads/master HEAD",
    "git -c a.b=c symbolic-ref HEAD refs/heads/x",
    "git config user.name x",
    "git worktree remove --force ../other",
    "git push . HEAD:master",
    "sh -c 'git update-ref refs/heads/master HEAD'",
    "p=$(git rev-parse --git-common-dir); touch $p/../x",
    'd="$(git rev-parse --absolute-git-dir)"; cp a.ts "$d/hooks/post-commit"',
    "d=$(pwd); rm -rf $d/../../..",
    'touch "${PWD%/*}/../x"',
    "touch $(cat .git | cut -d' ' -f2)/../../x",
    "cd $(git worktree list | head -1 | cut -d' ' -f1) && make",
    "echo x > MAIN/src/a.ts",
    "echo x >> linked/a.ts",
    "cp a.ts MAIN/src/a.ts",
    "rm -rf MAIN/src",
    "sed -i s/a/b/ MAIN/src/a.ts",
    "sh -c 'cd MAIN && git commit -am x'",
    "python3 -c \"open('MAIN/src/a.ts','w')\"",
    "git -C ~/repo commit -am x",
    "git -C $HOME/repo commit -am x",
    "git -C $OLDPWD commit -am x",
    'git -C "$(git rev-parse --git-common-dir)/.." commit -am x',
    "cd $X && git commit -am x",
    "git worktree remove ../other",
    "git push MAIN main",
  ])("may not run %s", (command) => expect(judge({ command: fill(command) })?.outcome).toBe("deny"));

  it.each([
    "git commit -am x",
    "git -C OWN commit -am x",
    "git checkout -b y",
    "npm test",
    "cd src && npm test",
    "cd OWN && make",
    "cat MAIN/src/a.ts",
    "grep -r x MAIN/src",
    "diff a.ts MAIN/src/a.ts",
    "echo x > OWN/a.ts",
    "for f in *.ts; do npx prettier $f; done",
    "echo x > /tmp/x",
  ])("may run %s as the rules say", (command) => expect(judge({ command: fill(command) })).toBeUndefined());

  it("is let out only by a rule that names the main checkout by its path", () => {
    const command = fill("git -C MAIN checkout -b y");
    expect(judge({ command }, [allow("Bash(git *)"), allow("Bash")])?.outcome).toBe("deny");
    const named = [allow(fill("Bash(git -C MAIN *)"))];
    expect(judge({ command }, named)).toBeUndefined();
    expect(judge({ command: `${command}; rm -rf ${main}/src` }, named)?.outcome).toBe("deny");
    const writes = [join(main, "src/a.ts")];
    expect(judge({ writes }, [allow("Edit(/src/**)"), allow("Edit")])?.outcome).toBe("deny");
    expect(judge({ writes }, [allow(fill("Edit(/MAIN/src/**)"))])).toBeUndefined();
    expect(judge({ writes }, [allow(fill("Edit(/MAIN/docs/**)"))])?.outcome).toBe("deny");
  });
});

it("rules of the main checkout hold in the worktree as well", () => {
  const rules = [allow("Edit(/src/**)"), allow("Edit(src/**)"), allow("Bash(npm *)"), allow("Edit(//abs/**)")];
  const added = rulesInWorktree(rules, place).slice(rules.length);
  expect(added.map(({ content, root }) => [content, root])).toEqual([
    ["/src/**", own],
    ["/src/**", own],
  ]);
});
