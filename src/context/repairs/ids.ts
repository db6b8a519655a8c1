// Repair: every call has an id of its own, in the API's alphabet, and its result carries the same one ("ids must be unique").
import { mapBlocks, type Repair } from "./repair.js";

const plain = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Renames a call whose id was used before or holds other characters; the next result with the old id follows it. */
export const uniqueIds: Repair = (messages) => {
  const used = new Set<string>();
  const open = new Map<string, string>(); // id as recorded -> id on the wire, of the newest call that waits for its result
  return mapBlocks(messages, (block) => {
    if (block.type === "tool_use") {
      const own = String(block.id);
      let id = plain(own);
      for (let n = 2; used.has(id); n++) id = `${plain(own)}_${n}`;
      used.add(id);
      open.set(own, id);
      return id === own ? block : { ...block, id };
    }
    if (block.type === "tool_result") {
      const own = String(block.tool_use_id);
      const id = open.get(own);
      if (id === undefined || id === own) return block;
      return { ...block, tool_use_id: id };
    }
    return block;
  });
};
