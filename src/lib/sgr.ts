// SGR and hyperlink state of a row: what is switched on at a point, and the codes that switch it on again.

/** One escape sequence at the start of a slice: CSI, OSC (BEL or ST), or ESC with one more character. */
export const escapeSequence =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-Z\\^-~])/y;

const closers: Record<number, string> = {
  22: "weight",
  23: "italic",
  24: "underline",
  27: "inverse",
  28: "conceal",
  29: "strike",
  39: "foreground",
  49: "background",
};

const slotOf = (code: number): string | null => {
  if (code === 1 || code === 2) return `weight${code}`;
  if (code === 3) return "italic";
  if (code === 4) return "underline";
  if (code === 7) return "inverse";
  if (code === 8) return "conceal";
  if (code === 9) return "strike";
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "foreground";
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return "background";
  return null;
};

/** Follows the styles of a text from sequence to sequence. */
export class StyleState {
  private readonly slots = new Map<string, string>();
  private link = "";

  /** True when nothing is switched on. */
  get isClean(): boolean {
    return this.slots.size === 0 && this.link === "";
  }

  /** Takes in one escape sequence; those that are neither SGR nor OSC 8 change nothing. */
  apply(sequence: string): void {
    if (sequence.startsWith("\u001b]8;")) {
      const target = sequence.slice(sequence.indexOf(";", 4) + 1);
      this.link = /^(?:\u0007|\u001b\\)$/.test(target) ? "" : sequence;
      return;
    }
    if (!sequence.startsWith("\u001b[") || !sequence.endsWith("m")) return;
    const codes = sequence.slice(2, -1).split(";");
    for (let index = 0; index < codes.length; index++) {
      const parameter = codes[index] ?? "";
      const code = Number.parseInt(parameter, 10) || 0;
      if (code === 0) {
        this.slots.clear();
        continue;
      }
      const closed = closers[code];
      if (closed !== undefined) {
        if (closed === "weight") for (const slot of ["weight1", "weight2"]) this.slots.delete(slot);
        else this.slots.delete(closed);
        continue;
      }
      const slot = slotOf(code);
      if (slot === null) continue;
      let value = parameter;
      if ((code === 38 || code === 48) && !parameter.includes(":")) {
        const length = codes[index + 1] === "2" ? 4 : 2;
        value = codes.slice(index, index + 1 + length).join(";");
        index += length;
      }
      this.slots.set(slot, value);
    }
  }

  /** Codes that bring a fresh row into this state. */
  open(): string {
    const codes = [...this.slots.values()];
    return (codes.length > 0 ? `\u001b[${codes.join(";")}m` : "") + this.link;
  }

  /** Codes that end this state at a row's end. */
  close(): string {
    return (this.link === "" ? "" : "\u001b]8;;\u001b\\") + (this.slots.size > 0 ? "\u001b[0m" : "");
  }
}
