// Listing a folder's files and reading the clipboard: with git, without it, with the programs there are.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clipboardImage } from "../../../src/platform/clipboard.js";
import { listFiles } from "../../../src/platform/list-files.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "list-files-"));
  mkdirSync(join(dir, "src"));
  mkdirSync(join(dir, "ignored"));
  for (const file of ["src/a b.ts", "src/new\nline.ts", ".hidden", "ignored/x", ".ignore", ".gitignore"])
    writeFileSync(join(dir, file), file.endsWith("ignore") ? "ignored/\n" : "x");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const list = async (limit = 100): Promise<string[]> => {
  const found: string[] = [];
  const { signal } = new AbortController();
  const env = { PATH: process.env.PATH, HOME: dir };
  await listFiles({ cwd: dir, env, signal, limit, onPaths: (paths) => found.push(...paths) });
  return found.sort();
};
const expected = [".gitignore", ".hidden", ".ignore", "src/a b.ts", "src/new\nline.ts"];

it("a repository lists tracked and new files, any other folder what ripgrep sees; names come whole", async () => {
  expect(await list()).toEqual(expected);
  execFileSync("git", ["init", "-q"], { cwd: dir });
  expect(await list()).toEqual(expected);
  expect(await list(2)).toHaveLength(2);
});

it.skipIf(process.platform === "darwin")(
  "the clipboard's image comes from wl-paste or xclip, or a reason",
  async () => {
    const bin = join(dir, "bin");
    mkdirSync(bin);
    const program = (name: string, types: string) =>
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\ncase "$*" in *TARGETS*|*list-types*) echo "${types}" ;; *) printf '%s' "$*" ;; esac\n`,
        { mode: 0o755 },
      );
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    expect(await clipboardImage(env)).toMatch(/^the clipboard cannot be read here/);
    program("wl-paste", "text/plain");
    expect(await clipboardImage({ ...env, WAYLAND_DISPLAY: "1" })).toBe("there is no image on the clipboard");
    program("wl-paste", "text/plain image/png");
    expect(String(await clipboardImage({ ...env, WAYLAND_DISPLAY: "1" }))).toBe("--no-newline --type image/png");
    program("xclip", "image/jpeg");
    expect(String(await clipboardImage({ ...env, DISPLAY: ":0" }))).toBe("-selection clipboard -t image/jpeg -o");
  },
);
