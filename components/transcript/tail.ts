// The rows of an answer while it grows: finished blocks are parsed once, only the last one again with each delta.
import { type Block, closesFence, type FenceStart, lineAt, nextBlock } from "./blocks.js";
import { codeRows, type MarkdownOptions, markdownBlockRows } from "./markdown.js";

/** One answer at one width and theme. Feed it the whole text so far; it goes on from where it stopped. */
export class MarkdownTail {
  private position = 0;
  private finished: string[] = [];
  private fence: FenceStart | null = null;
  /** Complete lines of the open fence, and where its rows begin: once it is closed they are coloured as a whole. */
  private fenceLines: string[] = [];
  private fenceAt = 0;
  /** The block now being drawn has no rows yet: its first one gets a blank row in front. */
  private isBlockEmpty = true;

  constructor(private readonly options: MarkdownOptions) {}

  /** Rows of the text so far. Equal to what a fresh tail gives for the same text. */
  rows(text: string): string[] {
    if (text.length < this.position) this.reset();
    for (;;) {
      if (this.fence) {
        const live = this.readFence(this.fence, text);
        if (live) return this.finished.concat(live);
        continue;
      }
      const block = nextBlock(text, this.position);
      if (block === null) return this.finished.slice();
      this.isBlockEmpty = true;
      if (!block.isFinal) return this.finished.concat(this.liveRows(block, text));
      this.position = block.end;
      if (block.kind === "fence") this.openFence(block);
      else this.finished.push(...this.gap(markdownBlockRows(block.text, this.options)));
    }
  }

  private openFence(fence: FenceStart): void {
    this.fence = fence;
    this.fenceLines = [];
    this.fenceAt = this.finished.length;
  }

  private closeFence(fence: FenceStart): void {
    this.fence = null;
    if (this.fenceLines.length === 0 || !this.options.theme.highlight) return;
    this.finished.length = this.fenceAt;
    this.isBlockEmpty = true;
    this.finished.push(...this.gap(codeRows(this.fenceLines, fence.language, this.options)));
  }

  private reset(): void {
    this.position = 0;
    this.finished = [];
    this.fence = null;
    this.isBlockEmpty = true;
  }

  /** Rows with the blank one that separates blocks. */
  private gap(rows: string[]): string[] {
    if (rows.length === 0 || !this.isBlockEmpty) return rows;
    this.isBlockEmpty = false;
    return this.finished.length > 0 ? ["", ...rows] : rows;
  }

  /** A last block that may still change, and what already stands behind it. */
  private liveRows(block: Block, text: string): string[] {
    if (block.kind === "fence") return [];
    const rows = this.gap(markdownBlockRows(block.text, this.options));
    this.isBlockEmpty = true;
    if (block.end >= text.length) return rows;
    // The start of the next block has arrived, but not enough of it to close this one for good.
    const next = nextBlock(text, block.end);
    if (next === null || next.kind === "fence") return rows;
    const more = markdownBlockRows(next.text, this.options);
    return more.length === 0 ? rows : [...rows, "", ...more];
  }

  /** Reads complete lines of an open fence; returns the live rows when the text ends inside it, null when it closed. */
  private readFence(fence: FenceStart, text: string): string[] | null {
    const inner = (line: string) => line.slice(Math.min(/^ */.exec(line)?.[0].length ?? 0, fence.indent));
    const draw = (line: string) => this.gap(codeRows([line], fence.language, this.options));
    while (this.position < text.length) {
      const line = lineAt(text, this.position);
      if (closesFence(line.text, fence.marker)) {
        if (!line.isComplete) return [];
        this.position = line.next;
        this.closeFence(fence);
        return null;
      }
      if (!line.isComplete) {
        // Half a closing fence is not shown for the moment it takes to arrive.
        if (/^ {0,3}(?:`+|~+)$/.test(line.text) && line.text.trim()[0] === fence.marker[0]) return [];
        const wasEmpty = this.isBlockEmpty;
        const rows = draw(inner(line.text));
        this.isBlockEmpty = wasEmpty;
        return rows;
      }
      const code = inner(line.text);
      this.fenceLines.push(code);
      this.finished.push(...draw(code));
      this.position = line.next;
    }
    return [];
  }
}

/** Rows of a whole Markdown text. */
export const markdownRows = (text: string, options: MarkdownOptions): string[] => new MarkdownTail(options).rows(text);
