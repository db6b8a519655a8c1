// Esc at random moments of an answer and of its calls: the next request is always accepted by the strict server.
import { expect, test } from "vitest";
import { createModelServer, createWorkspace } from "../helpers/fixtures.js";
import type { ModelAnswer } from "../helpers/model-script.js";
import { seededRandom } from "../helpers/model-server.js";
import { isAlive, pidIn } from "../helpers/processes.js";

const rounds = process.env.LONG ? 50 : 12;
/** Deltas of the answer below: thinking and its signature, text, and the inputs of three calls. */
const deltas = 56;

const answer = (offset: number, round: number): ModelAnswer => ({
  thinking: "I think about the files here.",
  say: "I read two files and then run a command.",
  calls: [
    { Read: { file_path: "a.txt" } },
    { Read: { file_path: "b.txt" } },
    { Bash: { command: `echo $$ > begun-${round}; sleep 60` } },
  ],
  deltaChars: 3,
  // Beyond the last delta the answer is complete and the command runs.
  holds: offset < deltas ? [{ at: offset === 0 ? "start" : `delta:${offset}`, until: "never" }] : [],
});

test(`Esc at ${rounds} seeded offsets leaves a conversation that the API accepts`, { timeout: 240_000 }, async () => {
  const random = seededRandom(20_261_130);
  const offsets = Array.from({ length: rounds }, (_, i) => (i === 0 ? 0 : Math.floor(random() * (deltas + 12))));
  const server = await createModelServer({ answers: [...offsets.map(answer), { say: "The end." }] });
  const workspace = createWorkspace({ server, files: { "a.txt": "a\n", "b.txt": "b\n" } });
  const pty = workspace.startCli(["--yolo"], { timeoutMs: 30_000 });
  await pty.waitFor("Type a request");
  for (const [i, offset] of offsets.entries()) {
    pty.type(`round ${i + 1}`);
    await pty.waitFor(`❯ round ${i + 1}`);
    await pty.settle();
    pty.press("enter");
    await server.waitForTurn(i + 1, 30_000);
    await pty.waitFor("esc to stop");
    if (offset >= deltas) await pidIn(workspace, `begun-${i}`);
    else await pty.settle(20 + Math.floor(random() * 60));
    pty.press("esc");
    await pty.waitForGone("esc to stop");
  }
  pty.type("last words");
  await pty.waitFor("❯ last words");
  await pty.settle();
  pty.press("enter");
  await pty.waitFor("The end.");
  expect(server.violations).toEqual([]);
  expect(server.turns()).toHaveLength(rounds + 1);
  const begun = offsets.flatMap((_, i) =>
    workspace.exists(`begun-${i}`) ? [Number(workspace.read(`begun-${i}`))] : [],
  );
  expect(begun.length).toBeGreaterThan(0);
  expect(begun.filter(isAlive)).toEqual([]);
});
