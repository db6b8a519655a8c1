import { expect, test } from "vitest";
import { applyCollapses, savedTokens, stageCollapses } from "../../../src/context/collapse.js";
import type { Message } from "../../../src/protocol/messages.js";
import { round } from "./support.js";

const titleOf = ({ name, input }: { name: string; input: Record<string, unknown> }): string =>
  `${name} ${input.file_path}`;
const rounds = (prefix: string, count: number): Message[] =>
  Array.from({ length: count }, (_, at) => round(`${prefix}${at}`, { chars: 500 })).flat();
const say = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const ask = (text: string): Message => ({ role: "user", content: text });

test("five finished rounds between two texts fold to one answer made of their titles", () => {
  const messages = [ask("go"), ...rounds("a", 5), say("found it"), ask("next"), ...rounds("z", 3)];
  const [collapse, ...more] = stageCollapses(messages, new Set());
  expect(more).toEqual([]);
  expect(collapse).toEqual({ firstId: "a0", lastId: "a4", rounds: 5 });
  const folded = applyCollapses(messages, [collapse!], titleOf);
  expect(folded.slice(0, 4)).toEqual([
    ask("go"),
    {
      role: "assistant",
      content: [
        {
          type: "text",
          text: "[5 calls that are done, folded to their titles. Their results are left out: read or run again what matters.]\n- Read /p/a0\n- Read /p/a1\n- Read /p/a2\n- Read /p/a3\n- Read /p/a4",
        },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "text",
          text: "<system-reminder>\nThe folded calls were carried out; go on from here.\n</system-reminder>",
        },
      ],
    },
    say("found it"),
  ]);
  expect(savedTokens(messages, collapse!, titleOf)).toBeGreaterThan(500);
});

test("four rounds, an unfinished run and the newest results are left alone", () => {
  expect(stageCollapses([ask("go"), ...rounds("a", 4), say("done"), ask("x"), ...rounds("z", 3)], new Set())).toEqual(
    [],
  );
  expect(stageCollapses([ask("go"), ...rounds("a", 9)], new Set())).toEqual([]);
  expect(stageCollapses([ask("go"), ...rounds("a", 5), say("done")], new Set())).toEqual([]);
});

test("a finished todo item ends a run too", () => {
  const done = round("done", { tool: "TaskUpdate", input: { taskId: "1", status: "completed" } });
  const messages = [ask("go"), ...rounds("a", 4), ...done, ...rounds("b", 4)];
  expect(stageCollapses(messages, new Set())).toEqual([{ firstId: "a0", lastId: "done", rounds: 5 }]);
});

test("what was folded once, or unfolded by hand, is not staged again", () => {
  const messages = [ask("go"), ...rounds("a", 5), say("found it"), ask("next"), ...rounds("z", 3)];
  expect(stageCollapses(messages, new Set(["a0"]))).toEqual([]);
});

test("a collapse whose calls are gone changes nothing", () => {
  const messages = [ask("summary"), say("ok")];
  expect(applyCollapses(messages, [{ firstId: "a0", lastId: "a4", rounds: 5 }], titleOf)).toEqual(messages);
});
