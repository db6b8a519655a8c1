import { describe, expect, test } from "vitest";
import type { Refusal } from "../../../src/context/refusals.js";
import type { ContentBlock } from "../../../src/protocol/messages.js";
import type { WhyEntry } from "../../../src/protocol/why.js";
import { createBackOff } from "../../../src/query/back-off.js";
import type { LoopOptions, ModelChoice } from "../../../src/query/loop-options.js";
import { assistant, call, image, png, result, text, thinking, user } from "../../helpers/history-kit.js";
import { apiError, loopKit, type SentBody, spec, streamed } from "../../helpers/loop-kit.js";

const overloaded =
  (headers: Record<string, string> = {}) =>
  () =>
    apiError(529, "Overloaded", headers);

/** Notes what the loop wrote down and explained. */
const witness = () => {
  const repairs: Refusal[] = [];
  const why: WhyEntry[] = [];
  const options: Partial<LoopOptions> = {
    recorder: {
      user: () => "u",
      assistant: () => undefined,
      result: () => undefined,
      repair: (_text, refusal) => void repairs.push(refusal),
    },
    explain: (entry) => void why.push(entry),
  };
  return { repairs, why, options };
};

const texts = (body: SentBody | undefined): string => JSON.stringify(body?.messages);

describe("a history the API refuses is repaired once, and the change is kept and told", () => {
  test("F052 thinking it does not know is left out, also inside an open round of calls", async () => {
    const { repairs, why, options } = witness();
    const kit = loopKit([{ say: "done" }], options);
    kit.messages.splice(0, 1, user("go"), assistant(thinking("foreign"), call("1")), user(result("1")));
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done", errors: [] });
    expect(kit.sent).toHaveLength(2);
    expect(texts(kit.sent[1])).not.toContain("foreign");
    expect(texts(kit.sent[1])).toContain("result of 1");
    expect(repairs.map(({ kind }) => kind)).toEqual(["strip_thinking"]);
    expect(why).toMatchObject([{ kind: "repair", why: expect.stringContaining("Invalid `signature`") }]);
    expect(kit.events.filter(({ type }) => type === "retry" || type === "notice")).toEqual([]);
  });

  test("F054 an image that the API names is replaced by a note, the others stay", async () => {
    const { repairs, options } = witness();
    const bad = image(png(30, 30));
    const names = (body: SentBody) =>
      body.messages[0]?.content[1]?.type === "image" && texts(body).includes(png(30, 30))
        ? apiError(400, "messages.0.content.1.image.source.base64: Could not process image")
        : streamed("");
    const kit = loopKit([names, { say: "done" }], options);
    kit.messages.splice(0, 1, user("look", bad, image()));
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done" });
    expect(repairs).toMatchObject([{ kind: "drop_media", hashes: [expect.any(String)] }]);
    expect(kit.sent[1]?.messages[0]?.content.map(({ type }) => type)).toEqual(["text", "text", "image"]);
  });

  test("F054 an image inside a result is found by its path; without a path all go", async () => {
    const inner = loopKit([
      () => apiError(400, "messages.2.content.0.tool_result.content.1.image: bad"),
      { say: "done" },
    ]);
    inner.messages.splice(
      0,
      1,
      user("go", image()),
      assistant(call("1")),
      user(result("1", [text("x"), image(png(7, 7))])),
    );
    await inner.run();
    expect(texts(inner.sent[1])).toContain(png(10, 10));
    expect(texts(inner.sent[1])).not.toContain(png(7, 7));
    const all = loopKit([() => apiError(400, "Could not process image"), { say: "done" }]);
    all.messages.splice(0, 1, user("go", image(), image(png(7, 7))));
    expect(await all.run()).toMatchObject({ cause: "completed" });
    expect(texts(all.sent[1])).not.toContain("base64");
  });

  test("F134 a tool that the API names is left out with a notice, for later requests too", async () => {
    const tools = [spec("Look"), spec("Odd"), spec("Touch")];
    const kit = loopKit(
      [() => apiError(400, "tools.1.custom.input_schema: bad"), { calls: [{ Look: {} }] }, { say: "done" }],
      { tools },
    );
    expect(await kit.run()).toMatchObject({ cause: "completed" });
    expect(kit.sent.map((body) => body.tools?.map(({ name }) => name).join())).toEqual([
      "Look,Odd,Touch",
      "Look,Touch",
      "Look,Touch",
    ]);
    expect(kit.events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("Odd") });
  });

  test("whatever else it says of messages, in the end the text alone goes", async () => {
    const { repairs, options } = witness();
    const complain = () => apiError(400, "messages.1: tool_use ids are odd");
    const kit = loopKit([complain, complain, { say: "done" }], options);
    kit.messages.splice(0, 1, user("go", image()), assistant(call("1")), user(result("1")), user("next"));
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done" });
    expect(repairs.map(({ kind }) => kind)).toEqual(["calls_as_text", "text_only"]);
    expect(texts(kit.sent[2])).toContain("result of 1");
  });

  test("the same repair is not tried twice, and other refusals are shown at once", async () => {
    const complain = () => apiError(400, "messages.0.content.0: thinking blocks are odd");
    const stuck = loopKit([complain, complain, complain]);
    expect(await stuck.run()).toMatchObject({ cause: "api_error", apiErrorStatus: 400, turns: 1 });
    expect(stuck.sent).toHaveLength(3);
    const other = loopKit([() => apiError(400, "adaptive thinking is not supported on this model")]);
    expect(await other.run()).toMatchObject({ cause: "api_error" });
    expect(other.sent).toHaveLength(1);
  });
});

test("F134 odd names of tools and properties reach the tool as the server named them", async () => {
  const odd = `Lo${"o".repeat(140)}k it`;
  const kit = loopKit(
    [
      (body) => {
        const [tool] = body.tools ?? [];
        const property = Object.keys((tool?.input_schema.properties ?? {}) as object)[0] ?? "";
        const start = { type: "message_start", message: { id: "m", role: "assistant", model: "m", usage: {} } };
        const block = { type: "tool_use", id: "t1", name: tool?.name, input: { [property]: 1 } };
        const events = [
          start,
          { type: "content_block_start", index: 0, content_block: block },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "tool_use" } },
          { type: "message_stop" },
        ];
        return streamed(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
      },
      { say: "done" },
    ],
    { tools: [spec(odd, { type: "object", properties: { "a b": {} } })] },
  );
  expect(await kit.run()).toMatchObject({ cause: "completed" });
  const [called] = (kit.messages[1]?.content ?? []) as ContentBlock[];
  expect(called).toMatchObject({ type: "tool_use", name: odd, input: { "a b": 1 } });
  expect(kit.refused).toEqual([]);
});

describe("F160 overload", () => {
  const choice: ModelChoice = { model: "claude-haiku-5-5", label: "Haiku", contextWindow: 1, maxOutputTokens: 500 };
  const nextFallback = (tried: readonly string[]) => (tried.includes(choice.model) ? undefined : choice);

  test("after three 529 in a row the fallback takes over at once, keeps its own limits, and stays for the run", async () => {
    const kit = loopKit([overloaded(), overloaded(), overloaded(), { calls: [{ Look: {} }] }, { say: "done" }], {
      nextFallback,
    });
    expect(await kit.run()).toMatchObject({ cause: "completed" });
    expect(kit.sent.map(({ model, max_tokens }) => [model, max_tokens])).toEqual([
      ...Array(3).fill(["claude-sonnet-5-5", 1000]),
      ...Array(2).fill([choice.model, 500]),
    ]);
    expect(kit.events.filter(({ type }) => type === "retry")).toHaveLength(2);
    expect(kit.events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("Haiku") });
  });

  test("other failures in between do not count; without a fallback it goes on waiting", async () => {
    const kit = loopKit([overloaded(), overloaded(), () => apiError(500, "x"), overloaded(), { say: "done" }], {
      nextFallback,
    });
    expect(await kit.run()).toMatchObject({ cause: "completed" });
    expect(new Set(kit.sent.map(({ model }) => model))).toEqual(new Set(["claude-sonnet-5-5"]));
    const alone = loopKit([...Array(5).fill(overloaded()), { say: "done" }]);
    expect(await alone.run()).toMatchObject({ cause: "completed" });
  });

  test("when no try is left the fallback is taken before giving up", async () => {
    const kit = loopKit([overloaded(), { say: "done" }], { nextFallback, retryDelayMs: () => undefined });
    expect(await kit.run()).toMatchObject({ cause: "completed" });
  });

  test("six minutes of 529, a 429 that asks for 90 s and a 503 with HTML are waited out as told", async () => {
    const html = () => streamed("<html>busy</html>", { type: "text/html", status: 503 });
    const kit = loopKit([
      ...Array(6).fill(overloaded({ "retry-after": "60" })),
      () => apiError(429, "slow", { "retry-after": "90" }),
      html,
      { say: "done" },
    ]);
    expect(await kit.run()).toMatchObject({ cause: "completed", text: "done", errors: [] });
    const waits = kit.events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));
    expect(waits.slice(0, 7)).toEqual([...Array(6).fill(60_000), 90_000]);
    expect(waits).toHaveLength(8);
  });
});

test("F160 requests of one session wait together: whoever comes later does not ask before the wait is over", async () => {
  const backOff = createBackOff();
  const release = backOff.hold(5000);
  const kit = loopKit([{ say: "done" }], { backOff });
  expect(await kit.run()).toMatchObject({ cause: "completed" });
  expect(kit.events.find(({ type }) => type === "retry")).toMatchObject({ delayMs: 5000, attempt: 1 });
  release();
  const later = loopKit([{ say: "done" }], { backOff });
  await later.run();
  expect(later.events.filter(({ type }) => type === "retry")).toEqual([]);
});
