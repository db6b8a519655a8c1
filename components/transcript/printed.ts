// What is printed when the terminal's own scrollback holds the conversation: blocks that will not change, each once.

import type { TranscriptItem } from "../../state/app-state.js";
import { keyFor } from "../keys/keymap.js";
import type { PrintSource } from "../terminal/inline-painter.js";
import type { Theme } from "../theme/themes.js";
import type { BlockRange, BlockSource } from "./source.js";

export interface PrintedOptions {
  source: BlockSource;
  items: () => readonly TranscriptItem[];
  theme: () => Theme;
  /** While a run goes on, the last row of reads may still grow. */
  isRunning: () => boolean;
}

export interface Printed extends PrintSource {
  /** Everything counts as finished from now on: the program is about to leave. */
  finish(): void;
}

/** Of a long conversation the newest messages are printed; the viewer has the rest. */
const maxAtStart = 200;

const isSettledItem = (item: TranscriptItem): boolean => {
  if (item.kind === "assistant" || item.kind === "thinking") return item.done;
  if (item.kind === "tool") return item.state === "done" || item.state === "error";
  // Until the session is open the banner does not know its model.
  return item.kind !== "banner" || item.model !== "";
};

export const createPrinted = ({ source, items, theme, isRunning }: PrintedOptions): Printed => {
  let identity = source.identity;
  let next = 0;
  let isFinal = false;

  const isSettled = ({ start, end }: BlockRange): boolean => {
    if (isFinal) return true;
    const all = items();
    for (let index = start; index <= end; index++) if (!isSettledItem(all[index] as TranscriptItem)) return false;
    return end < all.length - 1 || !isRunning() || all[end]?.kind !== "tool";
  };
  const skipOld = (): string[] => {
    const hidden = source.count - next - maxAtStart;
    if (hidden <= 0) return [];
    next = source.blockAt(next + hidden).start;
    return [
      theme().style("dim", `  … ${next.toLocaleString("en-US")} earlier messages · ${keyFor("app:toggleTranscript")}`),
    ];
  };
  return {
    finish: () => {
      isFinal = true;
    },
    take: (width) => {
      const rows: string[] = [];
      if (source.identity !== identity) {
        identity = source.identity;
        next = 0;
        rows.push("");
      }
      rows.push(...skipOld());
      while (next < source.count) {
        const block = source.blockAt(next);
        if (!isSettled(block)) break;
        rows.push(...source.rows(block, width));
        next = block.end + 1;
      }
      return rows;
    },
    tail: (height, width) => {
      const rows: string[] = [];
      for (let index = next; index < source.count; ) {
        const block = source.blockAt(index);
        rows.push(...source.rows(block, width));
        index = block.end + 1;
      }
      return rows.slice(-height);
    },
  };
};
