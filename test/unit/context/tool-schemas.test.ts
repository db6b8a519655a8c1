import { expect, test } from "vitest";
import { wireTools } from "../../../src/context/repairs/tool-schemas.js";
import type { ToolSpec } from "../../../src/providers/provider.js";
import { complaint, memoryOf, user } from "../../helpers/history-kit.js";

const spec = (input_schema: Record<string, unknown>, name = "T"): ToolSpec => ({
  name,
  description: "does it",
  input_schema,
});
const adapt = (schema: Record<string, unknown>) => wireTools([spec(schema)]).specs[0];
const a = { type: "string" };
const n = { type: "number" };

test("tools that fit keep their identity, the same array gives the same tools", () => {
  const specs = [spec({ type: "object", properties: { a } }), spec({ type: "object" }, "U")];
  const tools = wireTools(specs);
  expect(tools.specs.every((tool, at) => tool === specs[at])).toBe(true);
  expect(wireTools(specs)).toBe(tools);
});

test("F134 a combinator at the top is flattened, and the description says what it meant", () => {
  expect(
    adapt({
      type: "object",
      properties: { id: a },
      required: ["id"],
      oneOf: [
        { properties: { path: a, mode: a }, required: ["path"] },
        { properties: { url: a, mode: n }, required: ["url"] },
      ],
    }),
  ).toEqual({
    name: "T",
    description: "does it\nExactly one of these sets of fields must be given: {path} or {url}.",
    input_schema: {
      type: "object",
      properties: { id: a, path: a, mode: { anyOf: [a, n] }, url: a },
      required: ["id"],
    },
  });
  expect(adapt({ allOf: [{ properties: { x: a }, required: ["x"] }, { properties: { y: n } }] })?.input_schema).toEqual(
    {
      type: "object",
      properties: { x: a, y: n },
      required: ["x"],
    },
  );
});

test("F134 a reference at the root, circles and a missing type do no harm", () => {
  expect(
    adapt({ $ref: "#/$defs/In", $defs: { In: { type: "object", properties: { x: a } } } })?.input_schema,
  ).toMatchObject({
    type: "object",
    properties: { x: a },
  });
  expect(adapt({ $ref: "#" })?.input_schema).toEqual({ type: "object", properties: {} });
  expect(adapt({ $ref: "https://elsewhere/x" })?.input_schema).toEqual({ type: "object", properties: {} });
  expect(adapt({ properties: { x: a } })?.input_schema).toEqual({ type: "object", properties: { x: a } });
});

test("F134 odd property names are mapped to plain ones and back", () => {
  const long = "p".repeat(80);
  const tools = wireTools([
    spec({ type: "object", properties: { "a b": a, a_b: n, [long]: a, "": a }, required: ["a b"] }),
  ]);
  const [tool] = tools.specs;
  const names = Object.keys(tool?.input_schema.properties ?? {});
  expect(names).toHaveLength(4);
  expect(names[1]).toBe("a_b");
  expect(tool?.input_schema.required).toEqual([names[0]]);
  const input = { "a b": 1, a_b: 2, [long]: 3, "": 4 };
  const wire = tools.wireInput("T", input);
  expect(Object.keys(wire)).toEqual(names);
  expect(tools.realInput("T", wire)).toEqual(input);
});

test("odd tool names are mapped and mapped back; of two tools with one name the first is offered", () => {
  const own = `mcp__my server__${"x".repeat(150)}`;
  const tools = wireTools([spec({ type: "object" }, own), spec({ type: "object" }), spec({ type: "object" })]);
  expect(tools.specs).toHaveLength(2);
  expect(tools.realName(tools.specs[0]?.name ?? "")).toBe(own);
  expect(tools.realName("unknown")).toBe("unknown");
});

test("F134 whatever a server offers, the API takes the array", () => {
  const specs = [
    spec({ type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] }, "one"),
    spec({ allOf: [{ type: "object", anyOf: [{ $ref: "#/$defs/X" }], $defs: {} }] }, "two"),
    spec({ $ref: "#/definitions/R", definitions: { R: { oneOf: [{ type: "object" }] } } }, "three"),
    spec({}, "four"),
    spec({ type: "object", properties: { "a b": a, ü: a } }, "five five"),
    spec({ type: "array", items: a }, "six"),
  ];
  expect(complaint([user("go")], memoryOf([]), wireTools(specs).specs)).toBeUndefined();
  expect(wireTools(specs, new Set(["two"])).specs).toHaveLength(5);
});
