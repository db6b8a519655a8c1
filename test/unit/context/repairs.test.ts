import { describe, expect, test } from "vitest";
import { historyRepairs, wireMessages } from "../../../src/context/history.js";
import { wireName } from "../../../src/context/repairs/names.js";
import { shapeMessages } from "../../../src/context/repairs/shape.js";
import { blocksOf, type ContentBlock, type Message } from "../../../src/protocol/messages.js";
import {
  alternates,
  assistant,
  call,
  complaint,
  image,
  memoryOf,
  png,
  result,
  text,
  thinking,
  user,
} from "../../helpers/history-kit.js";

const broken = (block: Record<string, unknown>) => block as unknown as ContentBlock;
const many = (count: number, make: () => ContentBlock) => Array.from({ length: count }, make);

/** Histories that only one repair makes acceptable: by the repair's name. */
const cases: Record<string, Message[]> = {
  shape: [
    user("go", broken({ type: "text", text: "x", odd: 1 })),
    assistant(broken({ ...call("1"), input: "no object" })),
    user(result("1")),
  ],
  surrogates: [user("a\ud83d"), assistant(call("1", "Read", { "\udc00": "\ud83d" })), user(result("1"))],
  roles: [user("go", call("1")), user(result("1"))],
  thinking: [user("go"), assistant(broken({ type: "thinking", thinking: "unsigned" }), "ok"), user("next")],
  emptyText: [user("go"), assistant("  \n", call("1")), user(result("1", [text("")]))],
  ids: [
    user("go"),
    assistant(call("1")),
    user(result("1", "first")),
    assistant(call("1")),
    user(result("1", "second")),
  ],
  names: [user("go"), assistant(call("1", `mcp__server__${"long".repeat(40)}`)), user(result("1"))],
  references: [
    user("go"),
    assistant(call("1", "ToolSearch", { query: "select:Gone" })),
    user(result("1", [{ type: "tool_reference", tool_name: "Gone" }])),
  ],
  images: [user("go", image("bm8gaW1hZ2U="))],
  joined: [
    user("go"),
    assistant(thinking("1")),
    assistant(thinking("2"), call("1")),
    assistant(call("2")),
    user(result("1"), result("2")),
  ],
  thinkingEnd: [user("go"), assistant(thinking("1")), user("next")],
  pairing: [user("go"), assistant(call("1"), call("2")), user(result("2")), user("more")],
  joinedAgain: [user("go"), assistant("a"), user(result("ghost")), assistant("b"), user("next")],
  begin: [assistant("a"), user("go")],
  end: [user("go"), assistant("a")],
};

/** The thinking of separate messages came in one answer. */
const memoryFor = (name: string, messages: readonly Message[]) =>
  memoryOf(
    name === "joined"
      ? [
          assistant(
            ...messages.filter(({ role }) => role === "assistant").flatMap(({ content }) => content as ContentBlock[]),
          ),
        ]
      : messages,
  );

const isFine = (name: string, wire: readonly Message[]): boolean =>
  complaint(wire, memoryFor(name, cases[name] ?? [])) === undefined && alternates(wire);

describe.each(Object.keys(cases))("repair %s", (name) => {
  const history = cases[name] ?? [];

  test("makes its history acceptable", () => {
    expect(complaint(wireMessages(history), memoryFor(name, history))).toBeUndefined();
    expect(alternates(wireMessages(history))).toBe(true);
  });

  test("is needed: without it the history is refused", () => {
    const start = name === "shape" ? history : shapeMessages(history);
    const rest = Object.entries(historyRepairs).filter(([other]) => other !== name);
    const without = () =>
      rest.reduce((list, [, repair]) => repair({})(list), start as ReturnType<typeof shapeMessages>);
    expect(isFine(name, without())).toBe(false);
  });
});

test("every repair has a case", () => {
  expect(Object.keys(cases)).toEqual(["shape", ...Object.keys(historyRepairs)]);
});

test("a history without faults passes unchanged, down to its objects", () => {
  const history = [
    user("go"),
    assistant(thinking("1"), "I look.", call("1"), call("2")),
    user(result("1"), result("2", [text("a"), image()])),
    assistant("done"),
    user("next"),
  ];
  const wire = wireMessages(history);
  expect(wire).toEqual(history);
  expect(wire.every((message, at) => message === history[at])).toBe(true);
});

test("a result that stands further down still finds its call", () => {
  const history = [user("go"), assistant(call("1")), user("wait"), assistant("yes"), user(result("1", "late"))];
  expect(wireMessages(history)[2]).toEqual(user(result("1", "late"), "wait"));
});

test("Q34 of two calls with one id each keeps its own result", () => {
  expect(wireMessages(cases.ids ?? []).slice(2)).toEqual([
    user(result("1", "first")),
    assistant(call("1_2")),
    user(result("1_2", "second")),
  ]);
});

test("an id the API would not take is spelt differently on both sides", () => {
  const wire = wireMessages([user("go"), assistant(call("a:b")), user(result("a:b"))]);
  expect(wire.slice(1)).toEqual([assistant(call("a_b")), user(result("a_b", "result of a:b"))]);
});

describe("F054 images", () => {
  const noted = (...blocks: ContentBlock[]) =>
    blocksOf(wireMessages([user(...blocks)])[0]?.content ?? []).map((block) =>
      block.type === "text" ? block.text : block.type,
    );

  test("each of the bad ones becomes a note that says why; the good one stays", () => {
    const big = Buffer.alloc(6 * 1024 * 1024);
    Buffer.from(png(10, 10), "base64").copy(big);
    expect(
      noted(
        image(png(9000, 10)),
        image(big.toString("base64")),
        image(""),
        image(Buffer.from("just text, no image at all").toString("base64")),
        image(png(5, 5), "image/jpeg"),
        image(),
      ),
    ).toEqual([
      "[image left out: it is 9000 × 10 pixels, 8000 is the limit]",
      "[image left out: it has 6.0 MB, 5 MB is the limit]",
      "[image left out: its data are damaged]",
      "[image left out: it is no PNG, JPEG, GIF or WebP image]",
      "[image left out: it is image/png, not image/jpeg]",
      "image",
    ]);
  });

  test("with more than 20 images the ones above 2000 pixels go", () => {
    const blocks = [...many(25, () => image(png(2100, 10))), ...many(2, () => image())];
    expect(complaint(wireMessages([user(...blocks)]), memoryOf([]))).toBeUndefined();
    expect(noted(...many(20, () => image(png(2100, 10))))).toEqual(Array(20).fill("image"));
  });

  test("of more than 100 images the newest 100 stay", () => {
    expect(noted(...many(103, () => image())).map((kind) => kind === "image")).toEqual([
      ...Array(3).fill(false),
      ...Array(100).fill(true),
    ]);
  });

  test("a damaged PDF becomes a note, an image in a failed call too", () => {
    const pdf = broken({
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "aGVsbG8=" },
    });
    expect(noted(pdf)).toEqual(["[document left out: it is no PDF]"]);
    const history = [user("go"), assistant(call("1")), user(result("1", [text("failed"), image()], true))];
    expect(complaint(wireMessages(history), memoryOf([]))).toBeUndefined();
  });
});

test("names: what fits stays, what does not is cut and told apart by a hash", () => {
  expect(wireName("mcp__a__b")).toBe("mcp__a__b");
  const [one, two] = [wireName(`${"x".repeat(200)}1`), wireName(`${"x".repeat(200)}2`)];
  expect(one).toMatch(/^x{119}_[0-9a-f]{8}$/);
  expect(one).not.toBe(two);
  expect(wireName("mcp__ä b__c")).toMatch(/^mcp____b__c_[0-9a-f]{8}$/);
});
