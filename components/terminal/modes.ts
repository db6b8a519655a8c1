// The terminal modes we switch on and the exact bytes that switch them off again; keyboard-protocol pushes are counted.

export interface ModeOptions {
  /** Wheel and clicks; while on, native selection needs Shift (Option on some terminals). */
  mouse: boolean;
  /** The alternate screen, or lines in the terminal's own scrollback. */
  layout: ScreenLayout;
}

export type ScreenLayout = "fullscreen" | "inline";

const altScreen = { on: "\u001b[?1049h", off: "\u001b[?1049l" };
const autowrap = { on: "\u001b[?7h", off: "\u001b[?7l" };
const mouse = {
  on: "\u001b[?1000h\u001b[?1002h\u001b[?1006h",
  off: "\u001b[?1006l\u001b[?1003l\u001b[?1002l\u001b[?1000l",
};
const focus = { on: "\u001b[?1004h", off: "\u001b[?1004l" };
const paste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/** Follows what is switched on, so that every way out can undo exactly that. */
export class Modes {
  private readonly kittyPushes: string[] = [];

  constructor(private readonly options: ModeOptions) {}

  get isMouseOn(): boolean {
    return this.options.mouse;
  }

  get layout(): ScreenLayout {
    return this.options.layout;
  }

  /** From the next `enter` on. */
  setLayout(layout: ScreenLayout): void {
    this.options.layout = layout;
  }

  /** Bytes that enter the full screen; the cursor stays hidden until a frame places it. */
  enter(): string {
    return this.reassert() + this.kittyPushes.join("");
  }

  /** The same once more, after someone else may have changed the modes behind our back; pushes are not repeated. */
  reassert(): string {
    // In the scrollback the terminal keeps its mouse: its own scrolling and selection are the point of it.
    if (this.options.layout === "inline") return `\u001b[?25l${paste.on}${focus.on}`;
    const bytes = [altScreen.on, autowrap.off, "\u001b[?25l", paste.on, focus.on];
    if (this.options.mouse) bytes.push(mouse.on);
    return bytes.join("");
  }

  /** Bytes that leave it: everything off whether or not we switched it on, the picture before us back. */
  leave(): string {
    const pops = "\u001b[<u".repeat(this.kittyPushes.length);
    // Without the alternate screen "off" would move the cursor to a place from before.
    if (this.options.layout === "inline")
      return `\u001b[?2026l${focus.off}${paste.off}${pops}\u001b[0m${autowrap.on}\u001b[?25h`;
    return `\u001b[?2026l${mouse.off}${focus.off}${paste.off}${pops}\u001b[0m\u001b[r${autowrap.on}\u001b[?25l${altScreen.off}\u001b[0m\u001b[?25h`;
  }

  /** Bytes for switching the mouse during the session. */
  setMouse(isOn: boolean): string {
    this.options.mouse = isOn;
    if (this.options.layout === "inline") return "";
    return isOn ? mouse.on : mouse.off;
  }

  /**
   * Takes control strings Ink wants to send and returns those that may pass: kitty queries and pushes (remembered).
   * Paste mode and the cursor are ours, and so are the pops: they happen when the screen is left.
   */
  filter(bytes: string): string {
    let passed = "";
    for (const [sequence] of bytes.matchAll(/\u001b\[[?<>=][0-9;]*[a-zA-Z]/g)) {
      if (/^\u001b\[\?(?:25|2004|2026|1049)[hl]$/.test(sequence)) continue;
      if (/^\u001b\[<[0-9]*u$/.test(sequence)) continue;
      if (/^\u001b\[>[0-9;]*u$/.test(sequence)) this.kittyPushes.push(sequence);
      passed += sequence;
    }
    return passed;
  }
}
