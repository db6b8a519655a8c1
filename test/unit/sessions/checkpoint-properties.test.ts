import fc from "fast-check";
import { expect, test } from "vitest";
import { type CheckpointKit, checkpointKit } from "../../helpers/checkpoint-kit.js";

const names = ["a", "b", "d/c", "d/e"] as const;
const runs = process.env.LONG === "1" ? 2_000 : 60;

type Step =
  | { do: "prompt" }
  | { do: "ours"; name: string; content: string | null }
  | { do: "theirs"; name: string; content: string | null }
  | { do: "rewind"; back: number; force: boolean }
  | { do: "reopen" };

const name = fc.constantFrom(...names);
const content = fc.option(fc.string({ maxLength: 4 }), { nil: null, freq: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ do: "prompt" }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("ours" as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("theirs" as const), name, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rewind" as const), back: fc.nat(4), force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "reopen" }) },
);

/** What must hold, kept by the test itself: the files at each prompt, and who touched what since. */
interface Model {
  prompts: {
    id: string;
    files: Map<string, string | undefined>;
    /** What each file held right before the first call since that touched it. */
    ours: Map<string, string | undefined>;
    theirs: Set<string>;
  }[];
}

const snapshot = (kit: CheckpointKit): Map<string, string | undefined> =>
  new Map([...names, "user"].map((at) => [at, kit.read(at)]));

const write = (kit: CheckpointKit, at: string, text: string | null): boolean => {
  const before = kit.read(at);
  if (text !== null) kit.write(at, text);
  else if (before !== undefined) kit.remove(at);
  return before !== (text ?? undefined);
};

const rewind = async (kit: CheckpointKit, model: Model, back: number, force: boolean): Promise<void> => {
  const point = model.prompts.at(-1 - back);
  if (!point) return;
  const before = snapshot(kit);
  await kit.rewind(point.id, force);
  const after = snapshot(kit);
  for (const at of [...names, "user"]) {
    // Never touched by a call since: byte-equal, whatever else happened to it.
    if (!point.ours.has(at)) expect([at, after.get(at)]).toEqual([at, before.get(at)]);
    // Only calls touched it since: exactly as it was.
    else if (!point.theirs.has(at)) expect([at, after.get(at)]).toEqual([at, point.files.get(at)]);
    // Both did: as it was before the first call, or untouched.
    else expect([point.ours.get(at), before.get(at)]).toContain(after.get(at));
  }
  // A rewind is itself a change of ours: it counts for every point.
  for (const { ours } of model.prompts)
    for (const at of names) if (before.get(at) !== after.get(at) && !ours.has(at)) ours.set(at, before.get(at));
};

test("whatever calls, people and rewinds do: untouched files stay, and going back restores exactly", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      let kit = checkpointKit();
      kit.write("a", "first");
      kit.write("user", "nobody's");
      const model: Model = { prompts: [] };
      const begin = async (): Promise<void> => {
        const id = `p${model.prompts.length}`;
        await kit.checkpoints.begin(id);
        model.prompts.push({ id, files: snapshot(kit), ours: new Map(), theirs: new Set() });
      };
      await begin();
      for (const action of steps) {
        if (action.do === "prompt") await begin();
        else if (action.do === "reopen") kit = kit.reopened();
        else if (action.do === "rewind") await rewind(kit, model, action.back, action.force);
        else if (action.do === "ours") {
          const before = kit.read(action.name);
          await kit.call(action.name, action.content);
          for (const { ours } of model.prompts) if (!ours.has(action.name)) ours.set(action.name, before);
        } else if (write(kit, action.name, action.content))
          for (const { theirs } of model.prompts) theirs.add(action.name);
      }
      expect(kit.read("user")).toBe("nobody's");
    }),
    { seed: 20261130, numRuns: runs },
  );
}, 120_000);
