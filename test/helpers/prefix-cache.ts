// What the API's prompt cache would do with the bodies on the wire: prefixes are stored at breakpoints and found by their hash.
import { createHash } from "node:crypto";
import type { AnswerUsage } from "./model-script.js";
import type { RequestBody } from "./model-server.js";

interface Place {
  hash: string;
  /** Characters up to here. */
  chars: number;
  isMark: boolean;
}

const lookBack = 20; // blocks in front of a breakpoint that the API tries

const pieces = (body: RequestBody): unknown[] => [
  ...(body.tools ?? []).filter(({ defer_loading }) => defer_loading !== true), // the others are no part of the prefix
  ...(typeof body.system === "string" ? [{ text: body.system }] : (body.system ?? [])),
  ...body.messages.flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) => ({ role, ...block })),
  ),
];

const placesOf = (body: RequestBody): Place[] => {
  const chain = createHash("sha256").update(`${body.model} ${JSON.stringify(body.thinking ?? null)}`);
  let chars = 0;
  return pieces(body).map((piece) => {
    const { cache_control, ...rest } = piece as Record<string, unknown>;
    const text = JSON.stringify(rest);
    chain.update(text);
    chars += text.length;
    return { hash: chain.copy().digest("hex"), chars, isMark: cache_control !== undefined };
  });
};

export interface PrefixCache {
  /** Takes one request; says how its tokens (characters / 4) divide. */
  take(body: RequestBody): { usage: AnswerUsage; share: number };
}

/** An empty cache whose entries never expire. */
export const createPrefixCache = (): PrefixCache => {
  const stored = new Set<string>();
  return {
    take: (body) => {
      const places = placesOf(body);
      const marks = places.flatMap(({ isMark }, at) => (isMark ? [at] : []));
      const found = marks.flatMap((mark) => {
        for (let at = mark; at >= Math.max(0, mark - lookBack); at -= 1) if (stored.has(places[at]!.hash)) return [at];
        return [];
      });
      const read = found.length === 0 ? 0 : places[Math.max(...found)]!.chars;
      const written = marks.length === 0 ? 0 : Math.max(0, places[Math.max(...marks)]!.chars - read);
      for (const mark of marks) stored.add(places[mark]!.hash);
      const total = places.at(-1)?.chars ?? 0;
      return {
        share: total === 0 ? 0 : read / total,
        usage: {
          input_tokens: Math.ceil((total - read - written) / 4),
          cache_read_input_tokens: Math.ceil(read / 4),
          cache_creation_input_tokens: Math.ceil(written / 4),
        },
      };
    },
  };
};
