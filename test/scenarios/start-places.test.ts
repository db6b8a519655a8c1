// Starts from places and with files that are not there: one line that says so, never a stack.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createWorkspace } from "../helpers/fixtures.js";

test.each(["-p hi", "hi", "audit"])(
  "started with %s in a folder that was deleted it says so and ends with 1",
  (args) => {
    const workspace = createWorkspace({});
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "${resolve("dist/cli.js")}" ${args}`;
    const { status, stderr, stdout } = spawnSync("sh", ["-c", script, process.execPath], {
      cwd: workspace.project,
      env: workspace.env(),
      encoding: "utf8",
    });
    expect({ status, stderr, stdout }).toEqual({
      status: 1,
      stderr: "The folder you are in does not exist any more: change to another one and start again.\n",
      stdout: "",
    });
  },
);

test.each([
  [["--add-dir", "a.txt"], "--add-dir a.txt: this is a file, not a folder.\n"],
  [["--system-prompt-file", "no.txt"], "--system-prompt-file no.txt: there is no such file.\n"],
  [["--append-system-prompt-file", "."], "--append-system-prompt-file .: this is a folder, not a file.\n"],
])("%j is refused in plain words", async (args, stderr) => {
  const workspace = createWorkspace({ files: { "a.txt": "a" } });
  expect(await workspace.runCli(["-p", "hi", ...args])).toMatchObject({ code: 1, stderr });
});
