// P2: kill -9 in the middle of typing, with a prompt that waits: both are in the prompt at the next start.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";

test("P2 unsent text and a waiting prompt survive kill -9 and come back with a line", async () => {
  const server = await createModelServer({
    answers: [{ say: "working", holds: [{ at: "beforeStop", until: "never" }] }],
  });
  const workspace = createWorkspace({ server });
  const folder = join(workspace.configDir, "drafts");
  const onDisk = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join();
  const pty = workspace.startCli([], { timeoutMs: 30_000 });
  await pty.waitFor("Type a request");
  pty.type("begin");
  await pty.waitFor("❯ begin");
  pty.press("enter");
  await server.waitForTurn(1, 20_000);
  pty.type("and then this");
  await pty.waitFor("and then this");
  pty.press("enter");
  await vi.waitFor(() => expect(onDisk()).toContain("and then this"), 10_000);
  pty.type("half a tho");
  await vi.waitFor(() => expect(onDisk()).toContain("half a tho"), 10_000);
  pty.kill("SIGKILL");
  await pty.exit;
  const again = workspace.startCli(["--continue"], { timeoutMs: 30_000 });
  await again.waitFor("half a tho");
  await again.waitFor(/Back in the prompt: text you had not sent and 1 prompt that waited/);
  await again.waitFor("and then this");
  again.kill("SIGKILL");
  await again.exit;
});
