// Tool definitions as the API takes them: no combinators at the top, plain property names, fitting names; and the way back.
import { createHash } from "node:crypto";
import type { ToolSpec } from "../../providers/provider.js";
import { wireName } from "./names.js";
import { isObject } from "./repair.js";

type Schema = Record<string, unknown>;

export interface WireTools {
  specs: ToolSpec[];
  /** The tool's own name for a name in an answer. */
  realName(wire: string): string;
  /** An answer's input with the tool's own property names. `wire` is the name in the answer. */
  realInput(wire: string, input: Record<string, unknown>): Record<string, unknown>;
  /** A recorded input with the property names of the request. `name` is the tool's own. */
  wireInput(name: string, input: Record<string, unknown>): Record<string, unknown>;
}

const combinators = ["allOf", "anyOf", "oneOf"] as const;
const plainProperty = /^[a-zA-Z0-9_.-]{1,64}$/;
const mostPropertyChars = 64;

const propertiesOf = ({ properties }: Schema): Schema => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: Schema): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

/** Follows a `$ref` into the schema's own definitions; other references mean "anything". */
const resolved = (schema: Schema, root: Schema, depth = 0): Schema => {
  const { $ref: ref, ...rest } = schema;
  if (typeof ref !== "string") return schema;
  const path = ref.startsWith("#/") ? ref.slice(2).split("/") : [];
  let target: unknown = path.length > 0 ? root : undefined;
  for (const part of path)
    target = isObject(target) ? target[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  if (!isObject(target) || depth > 8) return rest; // a reference in a circle, or out of the schema
  return { ...resolved(target, root, depth + 1), ...rest };
};

const joinProperty = (a: unknown, b: unknown): unknown =>
  a === undefined || JSON.stringify(a) === JSON.stringify(b) ? b : { anyOf: [a, b] };

interface Flat {
  schema: Schema;
  /** What the combinators said, for the description. */
  notes: string[];
}

/** One object schema instead of combinators at the top: all properties, and as required what every form requires. */
const flat = (given: Schema, root: Schema, depth = 0): Flat => {
  const schema: Schema = { ...resolved(given, root) };
  const notes: string[] = [];
  const properties: Schema = { ...propertiesOf(schema) };
  const required = new Set(requiredOf(schema));
  for (const key of combinators) {
    const branches = Array.isArray(schema[key]) ? schema[key].filter(isObject) : [];
    delete schema[key];
    if (depth > 8 || branches.length === 0) continue;
    const flats = branches.map((branch) => flat(branch, root, depth + 1));
    for (const { schema: branch } of flats)
      for (const [name, value] of Object.entries(propertiesOf(branch)))
        properties[name] = joinProperty(properties[name], value);
    const lists = flats.map(({ schema: branch }) => requiredOf(branch));
    for (const name of lists.flat())
      if (key === "allOf" || lists.every((list) => list.includes(name))) required.add(name);
    notes.push(...flats.flatMap((branch) => branch.notes));
    if (key !== "allOf") {
      const forms = lists.map((list) => `{${list.join(", ") || "any"}}`);
      notes.push(
        `${key === "oneOf" ? "Exactly one" : "At least one"} of these sets of fields must be given: ${forms.join(" or ")}.`,
      );
    }
  }
  return {
    schema: { ...schema, type: "object", properties, ...(required.size > 0 && { required: [...required] }) },
    notes,
  };
};

const wireProperty = (name: string, taken: ReadonlySet<string>): string => {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  const plain = name.replace(/[^a-zA-Z0-9_.-]/g, "_").slice(0, mostPropertyChars);
  return plain === "" || taken.has(plain) ? `${plain.slice(0, mostPropertyChars - 7)}_${hash}` : plain;
};

/** Property names that cannot go on the wire: own name -> wire name. */
const oddProperties = (schema: Schema): Map<string, string> => {
  const names = Object.keys(propertiesOf(schema));
  const taken = new Set(names.filter((name) => plainProperty.test(name)));
  const odd = new Map<string, string>();
  for (const name of names) {
    if (plainProperty.test(name)) continue;
    const wire = wireProperty(name, taken);
    taken.add(wire);
    odd.set(name, wire);
  }
  return odd;
};

const renamed = <T>(object: Record<string, T>, names: ReadonlyMap<string, string>): Record<string, T> =>
  Object.keys(object).some((key) => names.has(key))
    ? Object.fromEntries(Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]))
    : object;

const isFine = ({ name, input_schema: schema }: ToolSpec): boolean =>
  wireName(name) === name &&
  schema.type === "object" &&
  !("$ref" in schema) &&
  combinators.every((key) => !(key in schema)) &&
  Object.keys(propertiesOf(schema)).every((key) => plainProperty.test(key));

const adapted = (spec: ToolSpec, odd: ReadonlyMap<string, string>): ToolSpec => {
  const { schema, notes } = flat(spec.input_schema, spec.input_schema);
  const properties = renamed(propertiesOf(schema), odd);
  const required = requiredOf(schema).map((name) => odd.get(name) ?? name);
  const said = [...odd].map(([own, wire]) => `${wire} stands for the field "${own}".`);
  return {
    ...spec,
    name: wireName(spec.name),
    description: [spec.description, ...notes, ...said].filter((text) => text !== "").join("\n"),
    input_schema: { ...schema, properties, ...(required.length > 0 && { required }) },
  };
};

const build = (given: readonly ToolSpec[]): WireTools => {
  const realNames = new Map<string, string>();
  /** By the tool's own name. */
  const odd = new Map<string, Map<string, string>>();
  const specs = given.flatMap((spec) => {
    const wire = wireName(spec.name);
    if (realNames.has(wire)) return []; // the same name twice: the first one is offered
    realNames.set(wire, spec.name);
    if (isFine(spec)) return [spec];
    odd.set(spec.name, oddProperties(flat(spec.input_schema, spec.input_schema).schema));
    return [adapted(spec, odd.get(spec.name) ?? new Map())];
  });
  const realName = (wire: string): string => realNames.get(wire) ?? wire;
  const none: ReadonlyMap<string, string> = new Map();
  return {
    specs,
    realName,
    realInput: (wire, input) => {
      const names = [...(odd.get(realName(wire)) ?? none)].map(([own, other]) => [other, own] as const);
      return renamed(input, new Map(names));
    },
    wireInput: (name, input) => renamed(input, odd.get(name) ?? none),
  };
};

interface Built {
  specs: readonly ToolSpec[];
  key: string;
  tools: WireTools;
}

/** By the list, which may have grown since. */
const built = new WeakMap<readonly ToolSpec[], Built>();

const isSame = (a: readonly ToolSpec[], b: readonly ToolSpec[]): boolean =>
  a.length === b.length && a.every((spec, at) => spec === b[at]);

const undeferred = ({ defer_loading: _, ...spec }: ToolSpec): ToolSpec => spec;

/**
 * The tools of a request, without those the API refused; `takesReferences` false: without `defer_loading`, which it would refuse.
 * The same array gives the same objects, so the prefix keeps its bytes.
 */
export const wireTools = (
  specs: readonly ToolSpec[],
  refused: ReadonlySet<string> = new Set(),
  takesReferences = true,
): WireTools => {
  const key = JSON.stringify([takesReferences, ...refused]);
  const earlier = built.get(specs);
  if (earlier?.key === key && isSame(earlier.specs, specs)) return earlier.tools;
  const offered = specs.filter(({ name }) => !refused.has(name));
  const tools = build(
    takesReferences ? offered : offered.map((spec) => (spec.defer_loading ? undeferred(spec) : spec)),
  );
  built.set(specs, { specs: [...specs], key, tools });
  return tools;
};
