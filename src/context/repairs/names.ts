// Repair: names of tools are what the API takes ("String should match pattern '^[a-zA-Z0-9_-]{1,128}$'").
import { createHash } from "node:crypto";
import { mapBlocks, type Repair } from "./repair.js";

const mostChars = 128;
const fits = /^[a-zA-Z0-9_-]{1,128}$/;

/** The name under which the API knows a tool: itself where it may, else cleaned, cut, and told apart by a hash. */
export const wireName = (name: string): string => {
  if (fits.test(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, mostChars - hash.length - 1)}_${hash}`;
};

/** Calls in the history under the names and properties of the request's tools. */
export const wireCalls =
  (wireInput?: (name: string, input: Record<string, unknown>) => Record<string, unknown>): Repair =>
  (messages) =>
    mapBlocks(messages, (block) => {
      if (block.type !== "tool_use") return block;
      const [name, given] = [String(block.name), block.input as Record<string, unknown>];
      const input = wireInput?.(name, given) ?? given;
      const wire = wireName(name);
      return wire === name && input === given ? block : { ...block, name: wire, input };
    });
