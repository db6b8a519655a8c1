// A terminal emulator for tests of the screen engine: takes the bytes a program writes, gives the rows a person sees.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/headless";

export interface Emulator {
  terminal: Terminal;
  write(bytes: string | Uint8Array): Promise<void>;
  /** Rows as text, without trailing spaces. */
  screen(): string[];
  cursor(): { column: number; row: number };
}

export const createEmulator = (columns: number, rows: number): Emulator => {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 2000 });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = "15-graphemes";
  return {
    terminal,
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    screen: () =>
      Array.from({ length: terminal.rows }, (_, y) =>
        (
          terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true, 0, terminal.cols) ??
          ""
        ).trimEnd(),
      ),
    cursor: () => ({ column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY }),
  };
};
