import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../helpers/model-server.js";
import { readTranscript } from "../../helpers/scenario.js";
import { Workspace } from "../../helpers/workspace.js";

test('-p "/compact" in a continued session: status, its end, init, boundary, summary, the command\'s output, result', async () => {
  const server = await startModelServer({
    answers: [{ say: "It says alpha." }, { say: "## State\nread the letters" }, { say: "alpha" }],
  });
  const workspace = new Workspace({ server, files: { "a.txt": "alpha\n" } });
  onTestFinished(async () => {
    await server.close();
    await workspace.dispose();
  });
  await workspace.runCli(["-p", "read a.txt"]);
  const { stdout, code } = await workspace.runCli([
    "--continue",
    "-p",
    "/compact the letters",
    "--output-format",
    "stream-json",
    "--verbose",
  ]);
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const kinds = lines.map(({ type, subtype, status }) => [type, subtype, status].filter(Boolean).join(" "));
  expect(kinds).toEqual([
    "system status compacting",
    "system status",
    "system init",
    "system compact_boundary",
    "user",
    "assistant",
    "result success",
  ]);
  expect(lines[1]).toMatchObject({ status: null, compact_result: "success" });
  expect(lines[3]).toMatchObject({ compact_metadata: { trigger: "manual" } });
  expect(JSON.stringify(lines[4])).toContain("read the letters");
  expect(JSON.stringify(server.turns()[1]?.body.messages.at(-1))).toContain("special attention to: the letters");
  expect(readTranscript(workspace).some(({ subtype }) => subtype === "compact_boundary")).toBe(true);
  await workspace.runCli(["--continue", "-p", "what did it say?"]);
  const sent = JSON.stringify(server.turns()[2]?.body.messages);
  expect(sent).toContain("read the letters");
  expect(sent).toContain("read a.txt"); // the last request, word for word
  expect(sent).not.toContain("It says alpha.");
  expect(server.violations).toEqual([]);
});

test('-p "/context" is a Markdown table', async () => {
  const server = await startModelServer({ answers: [{ say: "hello" }] });
  const workspace = new Workspace({ server, files: { "CLAUDE.md": "Be kind.\n" } });
  onTestFinished(async () => {
    await server.close();
    await workspace.dispose();
  });
  await workspace.runCli(["-p", "hi"]);
  const { stdout } = await workspace.runCli(["--continue", "-p", "/context"]);
  expect(stdout).toMatch(/^## Context\n\n.* of 1,000,000 tokens \(\d\.\d %\), compacted by itself at 967,000\n/);
  for (const part of ["system prompt", "tools", "instructions", "conversation", "free", "kept for compaction"])
    expect(stdout).toMatch(
      new RegExp(`^\\| ${part}(?: \\(\\d+ more by name only\\))? \\| [\\d,]+ \\| \\d+\\.\\d % \\|$`, "m"),
    );
});
