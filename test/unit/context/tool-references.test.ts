import { expect, test } from "vitest";
import { wireMessages } from "../../../src/context/history.js";
import { wireTools } from "../../../src/context/repairs/tool-schemas.js";
import { referencedTools, withMissingReferences } from "../../../src/context/tool-references.js";
import type { Message } from "../../../src/protocol/messages.js";
import { assistant, call, complaint, memoryOf, result, user } from "../../helpers/history-kit.js";
import { spec } from "../../helpers/loop-kit.js";

const reference = (tool_name: string) => ({ type: "tool_reference", tool_name });
const deferred = (name: string) => ({ ...spec(name), defer_loading: true as const });
const searched = (...names: string[]): Message[] => [
  user("go"),
  assistant(call("1", "ToolSearch", { query: `select:${names.join(",")}` })),
  user(result("1", names.map(reference))),
];
const content = (messages: readonly Message[], at: number) =>
  ((messages[at]?.content ?? []) as unknown as { content: unknown }[])[0]?.content;

const sent = (messages: readonly Message[], specs: ReturnType<typeof spec>[], takesReferences = true) => {
  const tools = wireTools(specs, undefined, takesReferences);
  const given = takesReferences ? withMissingReferences(messages, specs) : messages;
  const wire = wireMessages(given, { tools, takesReferences });
  expect(complaint(wire, memoryOf(messages), tools.specs)).toBeUndefined();
  return { wire, tools: tools.specs };
};

test("references to tools of the request go as they are, the same objects", () => {
  const messages = searched("A", "B");
  const { wire } = sent(messages, [spec("Read"), deferred("A"), deferred("B")]);
  expect(wire).toEqual(messages);
  expect(wire[2]).toBe(messages[2]);
});

test("a reference to a tool that is gone becomes a sentence", () => {
  const { wire } = sent(searched("A", "B"), [spec("Read"), deferred("A")]);
  expect(content(wire, 2)).toEqual([reference("A"), { type: "text", text: "[B is not available any more]" }]);
});

test("an endpoint without references gets the tools in full and sentences", () => {
  const { wire, tools } = sent(searched("A"), [spec("Read"), deferred("A")], false);
  expect(tools).toEqual([spec("Read"), spec("A")]);
  expect(content(wire, 2)).toEqual([{ type: "text", text: "[A is loaded: call it like any other tool]" }]);
});

test("a tool whose name cannot go on the wire is referred to by its wire name", () => {
  const name = `mcp__server__${"long".repeat(40)}`;
  const { wire, tools } = sent(searched(name), [spec("Read"), deferred(name)]);
  expect(content(wire, 2)).toEqual([reference(tools[1]?.name ?? "")]);
});

test("a loaded tool that nothing refers to any more is put back in front, the same way each time", () => {
  const tools = [spec("Read"), deferred("A"), deferred("B")];
  const messages = [user("summary"), ...searched("B")];
  const { wire } = sent(messages, tools);
  expect(referencedTools(wire)).toEqual(["A", "B"]);
  expect(wire.slice(1, 4)).toEqual([
    assistant({ ...call("toolu_loaded_earlier", "ToolSearch", { query: "select:A" }) }),
    user(result("toolu_loaded_earlier", [reference("A")])),
    assistant("They are loaded."),
  ]);
  expect(sent([...messages, assistant("ok"), user("next")], tools).wire.slice(0, 5)).toEqual(wire.slice(0, 5));
});

test("the list of wire tools follows a list that grows, and stays the same while it does not", () => {
  const specs = [spec("Read")];
  const first = wireTools(specs);
  expect(wireTools(specs)).toBe(first);
  specs.push(deferred("A"));
  expect(wireTools(specs).specs.map(({ name }) => name)).toEqual(["Read", "A"]);
  specs.splice(1, 1, deferred("B"));
  expect(wireTools(specs).specs.map(({ name }) => name)).toEqual(["Read", "B"]);
});
