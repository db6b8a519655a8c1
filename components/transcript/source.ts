// The transcript as blocks of rows: single items, and runs of reads and searches on one row. Rows come from the
// cache; an answer that still grows keeps its own tail.

import type { ToolItem, TranscriptItem } from "../../state/app-state.js";
import { keyFor } from "../keys/keymap.js";
import type { Theme } from "../theme/themes.js";
import { assistantRows, itemRows, metaRows } from "./items.js";
import type { ItemOptions } from "./layout.js";
import { createRowCache, type RowCache } from "./row-cache.js";
import { MarkdownTail } from "./tail.js";
import { groupRow, isCollapsible } from "./tool-rows.js";

/** Items `start` to `end` (inclusive) that are drawn together. */
export interface BlockRange {
  start: number;
  end: number;
}

export interface BlockSource {
  readonly count: number;
  /** Changes when the list was replaced (/clear, /resume): positions in the old one mean nothing. */
  readonly identity: object;
  /** The block that holds the item at `index`. */
  blockAt(index: number): BlockRange;
  /** Its rows, the blank row in front of it included. */
  rows(block: BlockRange, width: number): readonly string[];
  /** Version of an item, to see whether it grew. */
  versionAt(index: number): number;
  idAt(index: number): string | undefined;
}

export interface SourceOptions {
  items: () => readonly TranscriptItem[];
  theme: () => Theme;
  now?: () => number;
  /** Everything in full: the transcript viewer. */
  isExpanded?: boolean;
  cache?: RowCache;
}

/** Runs longer than this are cut, so that looking for a run's start stays cheap. */
const maxRun = 1000;

const runKey = (item: TranscriptItem | undefined, isExpanded: boolean): string | null => {
  if (item?.kind !== "tool") return null;
  return !isExpanded && isCollapsible(item) ? `run ${item.name}` : null;
};

/** Calls stand close together, notices too; everything else is parted by a blank row. */
const isClose = (above: TranscriptItem, item: TranscriptItem): boolean =>
  above.kind === item.kind && (item.kind === "tool" || item.kind === "notice");

class Source implements BlockSource {
  private readonly cache: RowCache;
  private readonly tails = new Map<string, { tail: MarkdownTail; key: string }>();

  constructor(private readonly options: SourceOptions) {
    this.cache = options.cache ?? createRowCache();
  }

  get count(): number {
    return this.options.items().length;
  }

  get identity(): object {
    return this.options.items();
  }

  versionAt(index: number): number {
    return this.options.items()[index]?.v ?? 0;
  }

  idAt(index: number): string | undefined {
    return this.options.items()[index]?.id;
  }

  blockAt(index: number): BlockRange {
    const items = this.options.items();
    const isExpanded = this.options.isExpanded === true;
    const key = runKey(items[index], isExpanded);
    if (key === null) return { start: index, end: index };
    let start = index;
    while (start > 0 && index - start < maxRun && runKey(items[start - 1], isExpanded) === key) start--;
    let end = index;
    while (end + 1 < items.length && end - start < maxRun && runKey(items[end + 1], isExpanded) === key) end++;
    return { start, end };
  }

  rows(block: BlockRange, width: number): readonly string[] {
    const items = this.options.items();
    const first = items[block.start];
    if (!first) return [];
    const drawn = this.body(items.slice(block.start, block.end + 1), first, width);
    if (drawn.length === 0) return drawn;
    const meta = this.options.isExpanded ? metaRows(first, this.options.theme()) : [];
    const body = meta.length > 0 ? [...meta, ...drawn] : drawn;
    const above = this.visibleAbove(items, block.start);
    return above === null || isClose(above, first) ? body : ["", ...body];
  }

  /** The nearest item above that shows anything: empty answers must not leave double gaps. */
  private visibleAbove(items: readonly TranscriptItem[], start: number): TranscriptItem | null {
    for (let index = start - 1; index >= 0; index--) {
      const item = items[index] as TranscriptItem;
      const isEmpty =
        (item.kind === "assistant" && item.text.trim() === "") ||
        (item.kind === "thinking" && item.done && item.text.trim() === "");
      if (!isEmpty) return item;
    }
    return null;
  }

  private body(items: readonly TranscriptItem[], first: TranscriptItem, width: number): readonly string[] {
    const theme = this.options.theme();
    const isExpanded = this.options.isExpanded === true;
    const now = (this.options.now ?? Date.now)();
    const options: ItemOptions = { width, theme, isExpanded, now };
    const look = `${width} ${theme.key} ${keyFor("app:toggleTranscript")} ${keyFor("task:background")}${isExpanded ? " all" : ""}`;
    if (first.kind === "assistant" && !first.done) return this.growingRows(first, options, look);
    let versions = 0;
    let isRunning = false;
    for (const item of items) {
      versions += item.v;
      isRunning ||= item.kind === "tool" && item.state === "running";
    }
    // Running calls show seconds: their rows are good for one second.
    const time = isRunning ? ` at ${Math.floor(now / 1000)}` : "";
    const flags = first.expanded ? " open" : "";
    const key = `${items.length} ${versions} ${look}${flags}${time}`;
    return this.cache.get(first.id, key, () => {
      if (first.kind === "assistant") return this.finishedRows(first, options, look);
      if (first.kind !== "tool") return itemRows(first, options);
      return items.length > 1 ? [groupRow(items as readonly ToolItem[], options)] : itemRows(first, options);
    });
  }

  /** A finished answer, drawn by the tail that grew with it where there is one: nothing is parsed again. */
  private finishedRows(item: { id: string; text: string }, options: ItemOptions, look: string): readonly string[] {
    const entry = this.tails.get(item.id);
    this.tails.delete(item.id);
    return entry?.key === look
      ? assistantRows(item, options, (text) => entry.tail.rows(text))
      : assistantRows(item, options);
  }

  private growingRows(
    item: { id: string; text: string; v: number },
    options: ItemOptions,
    look: string,
  ): readonly string[] {
    if (item.text.trim() === "") return [];
    return this.cache.get(item.id, `${item.v} ${item.text.length} ${look} growing`, () => {
      let entry = this.tails.get(item.id);
      if (entry?.key !== look) {
        entry = { tail: new MarkdownTail({ width: options.width - 2, theme: options.theme }), key: look };
        this.tails.set(item.id, entry);
      }
      const { tail } = entry;
      return assistantRows(item, options, (text) => tail.rows(text));
    });
  }
}

/** The transcript's blocks over the store's items. */
export const createSource = (options: SourceOptions): BlockSource => new Source(options);
