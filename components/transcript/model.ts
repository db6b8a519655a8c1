// Where the reader is in the transcript: an anchor, or the end. Everything costs O(viewport): only blocks that are
// seen are drawn, and nobody knows the total height.
import type { BlockRange, BlockSource } from "./source.js";

/** First visible row: the block that begins with this item, and the row in it. */
export interface Anchor {
  messageIndex: number;
  rowOffset: number;
}

export interface TranscriptModel {
  /** The rows to show in a viewport of this size, from the anchor or up to the end. */
  rows(height: number, width: number): readonly string[];
  /** The rows of the window last asked for, as they are now. */
  shown(): readonly string[];
  /** Scrolls by rows (negative: towards older text), within the viewport last asked for. */
  scrollBy(rows: number): void;
  /** Part of a viewport (half of it, if not said) up (-1) or down (1). */
  page(direction: -1 | 1, part?: number): void;
  /** Brings a row of an item's block to the top, with `lead` rows above it. */
  show(index: number, row: number, lead: number): void;
  toTop(): void;
  /** Follows the end again. */
  toEnd(): void;
  readonly isFollowing: boolean;
  /** Items that came or grew below since the reader left the end. */
  readonly newCount: number;
  readonly anchor: Anchor | null;
  /** For the footer: the first visible item among all, 1-based. */
  readonly position: { index: number; count: number };
  /** The id of the item shown in a row of the viewport, for clicks. */
  itemAt(row: number): string | undefined;
}

interface Place {
  block: BlockRange;
  offset: number;
}

class Model implements TranscriptModel {
  private place: Anchor | null = null;
  /** Width and height of the anchor's block when it was set: a rewrap moves the offset in proportion. */
  private anchorShape = { width: 0, rows: 1 };
  private seen = { count: 0, lastVersion: 0 };
  private identity: object;
  private height = 1;
  private width = 80;
  private visible: { index: number; rows: number }[] = [];

  constructor(private readonly source: BlockSource) {
    this.identity = source.identity;
  }

  get isFollowing(): boolean {
    return this.current() === null;
  }

  get anchor(): Anchor | null {
    return this.current();
  }

  get newCount(): number {
    if (this.current() === null) return 0;
    const added = this.source.count - this.seen.count;
    const isGrown = this.source.versionAt(this.seen.count - 1) !== this.seen.lastVersion;
    return added + (isGrown ? 1 : 0);
  }

  get position(): { index: number; count: number } {
    const count = this.source.count;
    return { index: Math.min(count, (this.visible[0]?.index ?? 0) + 1), count };
  }

  rows(height: number, width: number): readonly string[] {
    this.height = Math.max(1, height);
    this.width = Math.max(1, width);
    const anchor = this.current();
    if (height <= 0) return [];
    if (anchor === null) return this.fromEnd();
    const start = this.restore(anchor);
    const rows = this.fromPlace(start);
    if (rows.length >= this.height) return rows;
    // Everything below the anchor is visible: the reader is at the end.
    this.place = null;
    return this.fromEnd();
  }

  shown(): readonly string[] {
    return this.rows(this.height, this.width);
  }

  scrollBy(amount: number): void {
    if (this.source.count === 0) return;
    const anchor = this.current();
    const start = anchor === null ? this.topOfEnd() : this.restore(anchor);
    if (start === null) return;
    if (amount < 0) {
      this.setAnchor(this.walkUp(start, -amount), anchor === null);
      return;
    }
    if (anchor === null) return;
    const next = this.walkDown(start, amount);
    if (next === null || this.fromPlace(next, this.height + 1).length <= this.height) this.place = null;
    else this.setAnchor(next, false);
  }

  page(direction: -1 | 1, part = 0.5): void {
    const rows = Math.floor(this.height * part);
    // Of a whole page one row stays to hold on to.
    this.scrollBy(direction * Math.max(1, part === 1 ? rows - 1 : rows));
  }

  show(index: number, row: number, lead: number): void {
    if (this.source.count === 0 || this.topOfEnd() === null) return;
    const block = this.source.blockAt(Math.max(0, Math.min(index, this.source.count - 1)));
    const offset = Math.min(row, Math.max(0, this.draw(block).length - 1));
    this.setAnchor(this.walkUp({ block, offset }, lead), this.current() === null);
  }

  toTop(): void {
    if (this.source.count === 0 || this.topOfEnd() === null) return;
    this.setAnchor({ block: this.source.blockAt(0), offset: 0 }, this.current() === null);
  }

  toEnd(): void {
    this.place = null;
  }

  itemAt(row: number): string | undefined {
    let below = row;
    for (const { index, rows } of this.visible) {
      if (below < rows) return this.source.idAt(index);
      below -= rows;
    }
    return undefined;
  }

  /** The anchor, unless the list it belongs to is gone. */
  private current(): Anchor | null {
    if (this.source.identity !== this.identity) {
      this.identity = this.source.identity;
      this.place = null;
    }
    return this.place;
  }

  private draw(block: BlockRange): readonly string[] {
    return this.source.rows(block, this.width);
  }

  private setAnchor({ block, offset }: Place, isLeavingEnd: boolean): void {
    if (isLeavingEnd) {
      const count = this.source.count;
      this.seen = { count, lastVersion: this.source.versionAt(count - 1) };
    }
    this.place = { messageIndex: block.start, rowOffset: offset };
    this.anchorShape = { width: this.width, rows: Math.max(1, this.draw(block).length) };
  }

  private restore(anchor: Anchor): Place {
    const block = this.source.blockAt(Math.min(anchor.messageIndex, this.source.count - 1));
    const rows = this.draw(block).length;
    let offset = anchor.rowOffset;
    if (this.anchorShape.width !== this.width) {
      offset = Math.floor((offset * rows) / this.anchorShape.rows);
      this.place = { messageIndex: block.start, rowOffset: offset };
      this.anchorShape = { width: this.width, rows: Math.max(1, rows) };
    }
    return { block, offset: Math.min(offset, Math.max(0, rows - 1)) };
  }

  private fromEnd(): readonly string[] {
    const parts: (readonly string[])[] = [];
    this.visible = [];
    let needed = this.height;
    for (let index = this.source.count - 1; index >= 0 && needed > 0; ) {
      const block = this.source.blockAt(index);
      const rows = this.draw(block);
      const shown = rows.length > needed ? rows.slice(rows.length - needed) : rows;
      parts.unshift(shown);
      this.visible.unshift({ index: block.start, rows: shown.length });
      needed -= shown.length;
      index = block.start - 1;
    }
    return parts.flat();
  }

  private fromPlace({ block, offset }: Place, height = this.height): string[] {
    const rows: string[] = [];
    if (height === this.height) this.visible = [];
    let current = block;
    let skip = offset;
    while (rows.length < height) {
      const part = this.draw(current).slice(skip, skip + height - rows.length);
      rows.push(...part);
      if (height === this.height) this.visible.push({ index: current.start, rows: part.length });
      skip = 0;
      if (current.end + 1 >= this.source.count) break;
      current = this.source.blockAt(current.end + 1);
    }
    return rows;
  }

  /** First row of the viewport that ends at the end; null when everything fits. */
  private topOfEnd(): Place | null {
    let needed = this.height;
    for (let index = this.source.count - 1; index >= 0; ) {
      const block = this.source.blockAt(index);
      const rows = this.draw(block).length;
      if (rows >= needed) {
        const offset = rows - needed;
        return offset === 0 && block.start === 0 ? null : { block, offset };
      }
      needed -= rows;
      index = block.start - 1;
    }
    return null;
  }

  private walkUp({ block, offset }: Place, amount: number): Place {
    let current = block;
    let left = offset - amount;
    while (left < 0) {
      if (current.start === 0) return { block: current, offset: 0 };
      current = this.source.blockAt(current.start - 1);
      left += this.draw(current).length;
    }
    return { block: current, offset: left };
  }

  private walkDown({ block, offset }: Place, amount: number): Place | null {
    let current = block;
    let left = offset + amount;
    for (;;) {
      const rows = this.draw(current).length;
      if (left < rows) return { block: current, offset: left };
      if (current.end + 1 >= this.source.count) return null;
      left -= rows;
      current = this.source.blockAt(current.end + 1);
    }
  }
}

/** A reader of `source`, following its end. */
export const createTranscriptModel = (source: BlockSource): TranscriptModel => new Model(source);
