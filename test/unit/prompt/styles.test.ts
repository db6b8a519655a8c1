// Output styles: which there are, whose file wins a name, and what they do to the system prompt.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtinStyles, loadStyles, styleNamed } from "../../../src/prompt/styles.js";
import { engineWorld, handClock, openEngine } from "../../helpers/engine-session.js";
import type { ModelServer } from "../../helpers/model-server.js";

const world = (files: Record<string, string>) => {
  const root = mkdtempSync(join(tmpdir(), "styles-"));
  const cwd = join(root, "project/deep");
  mkdirSync(cwd, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { cwd, root: join(root, "project"), configDir: join(root, "config"), withProject: true };
};

test("the nearest file wins a name, then the user's, then the built-in one", async () => {
  const places = world({
    "project/.claude/output-styles/a.md": "far",
    "project/deep/.claude/output-styles/a.md": "---\ndescription: near\n---\nnear",
    "config/output-styles/a.md": "user",
    "config/output-styles/concise.md": "---\nname: Concise\n---\nmine",
  });
  const styles = await loadStyles(places);
  expect(styleNamed(styles, "A")).toMatchObject({ text: "near", description: "near", source: "project" });
  expect(styleNamed(styles, "concise")).toMatchObject({ text: "mine", source: "user", keepsCoding: false });
  expect(styles).toHaveLength(builtinStyles.length + 1);
  expect(styleNamed(await loadStyles({ ...places, withProject: false }), "a")).toMatchObject({ text: "user" });
});

const systemOf = (server: ModelServer) => JSON.stringify(server.turns().at(-1)?.body.system);

test("a style stands behind the boundary, replaces the guidance on code unless it keeps it, and stays for the conversation", async () => {
  const { workspace, server } = await engineWorld(
    { answers: [{ say: "one" }, { say: "two" }, { say: "three" }] },
    { homeFiles: { ".claude/output-styles/pirate.md": "---\nname: Pirate\n---\nTalk like a pirate." } },
  );
  const { prompt } = await openEngine(workspace, { clock: handClock(), trusts: true, isInteractive: false });
  await prompt("/output-style pirate");
  await prompt("hello");
  expect(systemOf(server)).toContain("Talk like a pirate.");
  expect(systemOf(server)).not.toContain("# Doing tasks");
  await prompt("/output-style Concise");
  await prompt("again");
  expect(systemOf(server)).toContain("Talk like a pirate.");
  await prompt("/clear");
  await prompt("anew");
  expect(systemOf(server)).toContain("# Output style: Concise");
  expect(systemOf(server)).toContain("# Doing tasks");
});

test("a style that is not there is told and the default one used", async () => {
  const { workspace } = await engineWorld({ answers: [{ say: "one" }] }, { settings: { outputStyle: "gone" } });
  const { prompt, events } = await openEngine(workspace, { clock: handClock(), isInteractive: false });
  await prompt("hello");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "notice", text: expect.stringContaining('no output style "gone"') }),
  );
});
