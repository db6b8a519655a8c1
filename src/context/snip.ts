// Stage 2: reads that a later read of the same file replaces, and old searches, become one line. The calls themselves stay.
import { searchesKept, snipFromPercent } from "./numbers.js";
import { oldResults, type ResultFact } from "./results.js";
import type { Shrink, Shrinks } from "./shrink.js";

const searches = ["Grep", "Glob"];

const rangeOf = ({ input }: ResultFact): string =>
  JSON.stringify([input.offset ?? null, input.limit ?? null, input.pages ?? null]);
const wholeRange = JSON.stringify([null, null, null]);

/** A later successful read shows at least what this one showed. */
const supersededReads = (facts: readonly ResultFact[]): Set<string> => {
  const seen = new Map<string, Set<string>>(); // path -> ranges read later
  const ids = new Set<string>();
  for (const fact of facts.toReversed()) {
    const path = fact.input.file_path;
    if (fact.tool !== "Read" || typeof path !== "string" || fact.isError) continue;
    const later = seen.get(path);
    if (later && (later.has(wholeRange) || later.has(rangeOf(fact)))) ids.add(fact.id);
    seen.set(path, (later ?? new Set()).add(rangeOf(fact)));
  }
  return ids;
};

/** What this stage shrinks at this share of the window (percent). */
export const snipResults = (facts: readonly ResultFact[], percent: number): Shrinks => {
  const out = new Map<string, Shrink>();
  if (percent < snipFromPercent) return out;
  const superseded = supersededReads(facts);
  const newest = new Set(
    searches.flatMap((tool) => facts.filter((fact) => fact.tool === tool).slice(-searchesKept)).map(({ id }) => id),
  );
  for (const { id, tool, input } of oldResults(facts)) {
    if (superseded.has(id))
      out.set(id, { kind: "line", text: `[Left out: ${String(input.file_path)} was read again later, see there]` });
    else if (searches.includes(tool) && !newest.has(id))
      out.set(id, { kind: "line", text: `[Left out: result of an older ${tool}; run it again if it matters]` });
  }
  return out;
};
