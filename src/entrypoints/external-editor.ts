// The user's own editor, on a text or a file, with the terminal handed over.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../platform/paths.js";

const editorOf = (env: Env): string => env.VISUAL || env.EDITOR || "vi";

/** Resolves to null when the editor ended well, else to what went wrong. Never rejects. */
export const openFile = (path: string, env: Env): Promise<string | null> =>
  new Promise((resolve) => {
    const editor = editorOf(env);
    // A shell, because EDITOR may hold arguments ("code --wait"); the path is passed as its own word.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env: { ...env } });
    child.on("error", (error) => resolve(`${editor}: ${error.message}`));
    child.on("exit", (code) => resolve(code === 0 ? null : `${editor} ended with code ${code ?? "unknown"}`));
  });

/** The edited text; null when it was left as it was. Rejects when the editor failed. */
export const editText = async (text: string, env: Env): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), "claude-edit-"));
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const problem = await openFile(file, env);
    if (problem !== null) throw new Error(problem);
    const edited = (await readFile(file, "utf8")).replace(/\n$/, "");
    return edited === text ? null : edited;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
