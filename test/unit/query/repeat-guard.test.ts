// Calls that repeat themselves: alike is fine, the same failure again and again is told, then asked.
import { expect, test } from "vitest";
import { loopKit } from "../../helpers/loop-kit.js";
import type { ModelAnswer } from "../../helpers/model-script.js";

const failing: ModelAnswer = { calls: [{ Nowhere: { file: "a" } }] };
const toldIn = (bodies: { messages: unknown }[]): number[] =>
  bodies.flatMap(({ messages }, at) =>
    JSON.stringify((messages as unknown[]).at(-1)).includes("Repeating it will not help") ? [at] : [],
  );

test("F168 forty alike calls on forty files, and one file a hundred times, are left alone", async () => {
  const kit = loopKit([
    ...Array.from(
      { length: 40 },
      (_, at): ModelAnswer => ({ calls: [{ Touch: { file: `f${at}`, old: "a", new: "b" } }] }),
    ),
    ...Array.from(
      { length: 20 },
      (): ModelAnswer => ({ calls: Array.from({ length: 5 }, () => ({ Look: { file: "a" } })) }),
    ),
    { say: Array.from({ length: 200 }, () => "| the same | row |").join("\n") },
  ]);
  expect(await kit.run()).toMatchObject({ cause: "completed" });
  expect(kit.ran).toHaveLength(140);
  expect(toldIn(kit.sent)).toEqual([]);
});

test("F168 the same failing call: the model is told at the third, the person asked at the fifth, and may say go on", async () => {
  const asked: string[] = [];
  const kit = loopKit([...Array.from({ length: 10 }, () => failing), { say: "I give up." }], {
    askGoOn: async (text: string) => {
      asked.push(text);
      return true;
    },
  });
  expect(await kit.run()).toMatchObject({ cause: "completed", text: "I give up." });
  expect(asked).toEqual([
    "Nowhere was called 5 times with the same input and failed the same way each time.",
    "Nowhere was called 5 times with the same input and failed the same way each time.",
  ]);
  expect(toldIn(kit.sent)).toEqual([3, 8]);
});

test("F168 with nobody to ask the run ends there, with that reason; another input or another error starts anew", async () => {
  const kit = loopKit(Array.from({ length: 10 }, () => failing));
  const outcome = await kit.run();
  expect(kit.sent).toHaveLength(5);
  expect(outcome.text).toBe("Stopped: the same call kept failing the same way.");
  expect(outcome.cause).not.toBe("completed");
  const varied = loopKit([
    ...Array.from({ length: 10 }, (_, at): ModelAnswer => ({ calls: [{ Nowhere: { file: at } }] })),
    { say: "done" },
  ]);
  expect(await varied.run()).toMatchObject({ cause: "completed" });
});
