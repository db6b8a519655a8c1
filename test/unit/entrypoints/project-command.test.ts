// `claude project purge`: what goes, what stays, and that nothing goes unasked.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { projectCommand } from "../../../src/entrypoints/project-command.js";
import { projectSlug } from "../../../src/platform/paths.js";
import { lockSession } from "../../../src/sessions/lock.js";
import { tempDir, writerFor } from "../../helpers/transcript-kit.js";

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const world = () => {
  const config = tempDir();
  const folder = (cwd: string): string => join(config, "projects", projectSlug(cwd));
  const session = (cwd: string, n: number, content: string): string => {
    const file = join(folder(cwd), `${id(n)}.jsonl`);
    writerFor(file, { cwd, sessionId: id(n) }).appendUser({ content });
    return file;
  };
  const put = (path: string, text: string): string => {
    const file = join(config, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const run = async (args: string[], answers = "") => {
    let out = "";
    const say = (text: string): void => {
      out += text;
    };
    const env = { CLAUDE_CONFIG_DIR: config, HOME: config, TMPDIR: config };
    const code = await projectCommand(args, {
      env,
      cwd: "/work/shop",
      stdin: Readable.from([answers]),
      out: say,
      err: say,
    });
    return { code, out };
  };
  return { config, folder, session, put, run };
};

test("a project goes with sessions, results, memory, prompts and entry; others stay whole", async () => {
  const { config, folder, session, put, run } = world();
  const mine = session("/work/shop", 1, "sell things");
  const other = session("/work/other", 2, "other things");
  put(`file-history/${id(1)}/a@v1`, "x");
  put(`projects/${projectSlug("/work/shop")}/memory/MEMORY.md`, "m");
  const line = (project: string): string => `${JSON.stringify({ display: "p", project, timestamp: 1 })}\n`;
  const history = put("history.jsonl", `${line("/work/shop")}{torn\n${line("/work/other")}`);
  const state = put(
    ".claude.json",
    JSON.stringify({ projects: { "/work/shop": {}, "/work/other": {} }, theme: "dark" }),
  );
  const dry = await run(["purge", "--dry-run"]);
  expect(dry.out).toMatch(/\/work\/shop\n {2}session {2}sell things\n[\s\S]*history {2}1 prompt/);
  expect([dry.code, existsSync(mine)]).toEqual([0, true]);
  const refused = await run(["purge"], "n\n");
  expect([refused.code, existsSync(mine)]).toEqual([1, true]);
  const unasked = await run(["purge"]); // no terminal: no
  expect([unasked.code, existsSync(mine)]).toEqual([1, true]);
  expect((await run(["purge", "-y"])).code).toBe(0);
  expect([existsSync(folder("/work/shop")), existsSync(join(config, "file-history", id(1)))]).toEqual([false, false]);
  expect(existsSync(other)).toBe(true);
  expect(readFileSync(history, "utf8")).toBe(`{torn\n${line("/work/other")}`);
  expect(JSON.parse(readFileSync(state, "utf8"))).toEqual({ projects: { "/work/other": {} }, theme: "dark" });
  expect((await run(["purge"])).out).toContain("Nothing is kept");
});

test("a session that is open stays, and so does what belongs to the project", async () => {
  const { folder, session, run } = world();
  const open = session("/work/shop", 1, "open");
  const closed = session("/work/shop", 2, "closed");
  const outcome = lockSession(folder("/work/shop"), id(1));
  const { code, out } = await run(["purge", "-y"]);
  expect([code, existsSync(open), existsSync(closed)]).toEqual([1, true, false]);
  expect(out).toContain("Not deleted, because it is open");
  if (outcome.kind === "locked") outcome.lock.release();
});

test("-i asks for each session; a folder that shares the name on disk keeps its own", async () => {
  const { session, run } = world();
  const [first, second] = [session("/work/shop", 1, "one"), session("/work/shop", 2, "two")];
  const foreign = session("/work-shop", 3, "foreign");
  const { code } = await run(["purge", "-i"], "y\nn\n");
  expect([code, existsSync(first), existsSync(second), existsSync(foreign)]).toEqual([0, false, true, true]);
});

test("--all takes every project; anything else than purge is refused with the usage", async () => {
  const { config, session, run } = world();
  session("/work/shop", 1, "one");
  session("/work/other", 2, "two");
  expect((await run(["purge", "--all", "-y"])).code).toBe(0);
  expect(existsSync(join(config, "projects", projectSlug("/work/other")))).toBe(false);
  expect((await run([])).code).toBe(1);
  expect((await run(["delete"])).out).toContain("Usage: claude project purge");
  expect(await run(["purge", "--nonsense"])).toMatchObject({ code: 1 });
});
