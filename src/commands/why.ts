// /why: the last decisions of each kind and their reasons.
import { whyKinds } from "../protocol/why.js";
import { type CommandContext, defineCommand } from "./command.js";

const shownOfAKind = 5; // what fits on a screen; `/why KIND` shows all that are kept

const titles: Record<(typeof whyKinds)[number], string> = {
  loop: "Went on",
  retry: "Retries",
  repair: "Repairs of the history",
  compaction: "Compactions",
  truncation: "Shortened results",
  cache: "Cache misses",
  checkpoint: "Checkpoints and rewinds",
  permission: "Permissions",
  hook: "Hooks",
};

type Dated = ReturnType<CommandContext["why"]>[number];

const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);

const lineOf = ({ at, times, what, why }: Dated): string =>
  `  ${timeOf(at)}  ${what}${times > 1 ? ` (${times} times)` : ""}\n            ${why.trim().replaceAll("\n", "\n            ")}`;

const section = (kind: (typeof whyKinds)[number], all: readonly Dated[], limit: number): string[] => {
  const entries = all.filter((entry) => entry.kind === kind);
  if (entries.length === 0) return [];
  const left = entries.length - limit;
  const more = left > 0 ? [`  … ${left} earlier: /why ${kind}`] : [];
  return [[titles[kind], ...more, ...entries.slice(-limit).map(lineOf)].join("\n")];
};

export const why = defineCommand({
  name: "why",
  description: "Show what was decided last, and why",
  argumentHint: `[${whyKinds.join("|")}]`,
  isHeadless: true,
  isImmediate: true,
  run: async (args, context) => {
    const wanted = args.trim().toLowerCase();
    const kind = whyKinds.find((name) => name === wanted || name === wanted.replace(/s$/, ""));
    if (wanted !== "" && kind === undefined)
      return { kind: "text", text: `/why knows ${whyKinds.join(", ")}, not "${wanted}".`, isError: true };
    const all = context.why();
    if (kind === "cache") return { kind: "text", text: context.cacheLines().join("\n") };
    const sections =
      kind === undefined
        ? whyKinds.flatMap((name) => section(name, all, shownOfAKind))
        : section(kind, all, Number.POSITIVE_INFINITY);
    const nothing = kind === undefined ? "Nothing has been decided yet." : `No ${titles[kind].toLowerCase()} so far.`;
    return { kind: "text", text: sections.length > 0 ? sections.join("\n\n") : nothing };
  },
});
