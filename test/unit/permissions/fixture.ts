// Builds the fixture project of the permission cases in a real folder with a real repository.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

export interface Fixture {
  root: string;
  home: string;
  out: string;
  fill(text: string): string;
  dispose(): void;
}

interface Description {
  root_files: Record<string, string>;
  root_dirs: string[];
  home_files: Record<string, string>;
}

export interface SetupStep {
  file?: string;
  content?: string;
  symlink?: string;
  target?: string;
  fifo?: string;
  socket?: string;
  sparse?: string;
  bytes?: number;
}

const write = (file: string, content: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

const makeRepository = (root: string, out: string): void => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root, env, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "one");
  git("commit", "-qm", "two", "--allow-empty");
  git("commit", "-qm", "three", "--allow-empty");
  git("tag", "v1");
  git("remote", "add", "origin", `${out}/nowhere.git`);
  const file = join(root, "a.txt");
  const before = readFileSync(file);
  writeFileSync(file, "changed\n");
  git("stash");
  writeFileSync(file, before);
};

/** Makes the project, a home and a folder beside the project. */
export const makeFixture = (): Fixture => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "permissions-")));
  const [root, home, out] = [join(base, "demo"), join(base, "home"), join(base, "out")];
  const description: Description = JSON.parse(readFileSync("test/fixtures/permissions-fixture.json", "utf8"));
  for (const [name, content] of Object.entries(description.root_files)) write(join(root, name), content);
  for (const name of description.root_dirs) mkdirSync(join(root, name), { recursive: true });
  for (const [name, content] of Object.entries(description.home_files)) write(join(home, name), content);
  mkdirSync(out, { recursive: true });
  makeRepository(root, out);
  return {
    root,
    home,
    out,
    fill: (text) => text.replaceAll("${ROOT}", root).replaceAll("${HOME}", home).replaceAll("${OUT}", out),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
};

/** Makes what one case needs. Returns how to undo it. */
export const applySetup = (steps: readonly SetupStep[], { root, fill }: Fixture): (() => void) => {
  const place = (name: string): string => (isAbsolute(fill(name)) ? fill(name) : join(root, fill(name)));
  const made: string[] = [];
  for (const { file, content, symlink, target, fifo, socket, sparse, bytes } of steps) {
    const path = place(file ?? symlink ?? fifo ?? socket ?? sparse ?? "");
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    made.push(path);
    if (file !== undefined) writeFileSync(path, content ?? "");
    else if (symlink !== undefined) symlinkSync(fill(target ?? ""), path);
    else if (fifo !== undefined) execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
    else if (sparse !== undefined) {
      writeFileSync(path, "");
      truncateSync(path, bytes);
    }
  }
  return () => {
    for (const path of made) rmSync(path, { force: true });
  };
};
