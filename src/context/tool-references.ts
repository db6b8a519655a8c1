// References to loaded tools on the wire: resolved where the request defines the tool, words where it does not, and put back
// where a compaction or a fold took them out.
import { blocksOf, type ContentBlock, type Message, type ResultContent } from "../protocol/messages.js";
import type { ToolSpec } from "../providers/provider.js";
import { wireName } from "./repairs/names.js";
import { type AnyBlock, asBlock, mapBlocks, note, type Repair } from "./repairs/repair.js";

const isReference = (block: AnyBlock | ResultContent): block is Extract<ResultContent, { type: "tool_reference" }> =>
  block.type === "tool_reference" && typeof (block as AnyBlock).tool_name === "string";

/** Names that the references in a conversation load, each once, in their order. */
export const referencedTools = (messages: readonly Message[]): string[] => {
  const names = new Set<string>();
  for (const { content } of messages)
    for (const block of blocksOf(content))
      if (block.type === "tool_result" && Array.isArray(block.content))
        for (const part of block.content) if (isReference(part)) names.add(part.tool_name);
  return [...names];
};

/**
 * References as the endpoint may see them. `takesReferences`: those whose tool the request defines stay, under the name it has
 * there; all others become words, since the API refuses what it cannot resolve.
 */
export const resolvableReferences =
  (defined: ReadonlySet<string>, takesReferences: boolean): Repair =>
  (messages) =>
    mapBlocks(messages, (block) => {
      if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
      const inner = block.content as AnyBlock[];
      if (!inner.some(isReference)) return block;
      const content = inner.map((part): AnyBlock => {
        if (!isReference(part)) return part;
        const wire = wireName(part.tool_name);
        if (!defined.has(wire)) return note(`${part.tool_name} is not available any more`);
        if (!takesReferences) return note(`${part.tool_name} is loaded: call it like any other tool`);
        return wire === part.tool_name ? part : { ...part, tool_name: wire };
      });
      return content.every((part, at) => part === inner[at]) ? block : { ...block, content };
    });

const putBackId = "toolu_loaded_earlier";
const searchTool = "ToolSearch";

const putBack = (names: readonly string[]): Message[] => {
  const block = (value: AnyBlock): ContentBlock => asBlock(value);
  const references = names.map((name): ResultContent => ({ type: "tool_reference", tool_name: name }));
  return [
    { role: "user", content: [block(note("Tools that were loaded earlier in this conversation are loaded again."))] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: putBackId, name: searchTool, input: { query: `select:${names.join(",")}` } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: putBackId, content: references }] },
    // Words behind it, so that no model that thinks misses its thinking before a call that it never made.
    { role: "assistant", content: [block({ type: "text", text: "They are loaded." })] },
  ];
};

/**
 * The messages with the references that are missing in front of them: a deferred tool in the request's list is invisible to the
 * model until one names it. Pure, and the same while the same ones are missing.
 */
export const withMissingReferences = (messages: readonly Message[], tools: readonly ToolSpec[]): readonly Message[] => {
  const deferred = tools.filter(({ defer_loading }) => defer_loading).map(({ name }) => name);
  if (deferred.length === 0) return messages;
  const there = new Set(referencedTools(messages));
  const missing = deferred.filter((name) => !there.has(name));
  return missing.length === 0 ? messages : [...putBack(missing), ...messages];
};
