// Reads one escape sequence of terminal input and says what it is.

export interface MouseEvent {
  /** "drag": moved with a button down. */
  kind: "press" | "release" | "wheel" | "drag";
  /** 0 left, 1 middle, 2 right; for the wheel -1 up (towards older text) and 1 down. */
  button: number;
  /** 0-based cell. */
  column: number;
  row: number;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
}

export type InputToken =
  /** Goes to Ink as it is (possibly rewritten). */
  | { kind: "key"; text: string }
  | { kind: "mouse"; event: MouseEvent }
  | { kind: "focus"; isFocused: boolean }
  | { kind: "paste-start" }
  /** A terminal's answer to a query; not for Ink. */
  | { kind: "reply"; text: string }
  /** Known and meaningless here. */
  | { kind: "ignore" };

/** What stands at the start of a text that begins with ESC: a token and its length, or "incomplete". */
export type Parsed = { token: InputToken; length: number } | "incomplete";

const mouseEvent = (code: number, x: number, y: number, isRelease: boolean): InputToken => {
  const modifiers = { shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 };
  const place = { column: Math.max(0, x - 1), row: Math.max(0, y - 1) };
  if (code & 64) {
    // 66 and 67 are the horizontal wheel.
    if ((code & 3) > 1) return { kind: "ignore" };
    return { kind: "mouse", event: { kind: "wheel", button: code & 1 ? 1 : -1, ...place, ...modifiers } };
  }
  if (code & 32 && (code & 3) === 3) return { kind: "ignore" }; // moved without a button
  if (code & 32) return { kind: "mouse", event: { kind: "drag", button: code & 3, ...place, ...modifiers } };
  const kind = isRelease || (code & 3) === 3 ? "release" : "press";
  return { kind: "mouse", event: { kind, button: code & 3, ...place, ...modifiers } };
};

const csiToken = (sequence: string): InputToken => {
  const body = sequence.slice(2);
  const mouse = /^<(\d+);(\d+);(\d+)([Mm])$/.exec(body);
  if (mouse) return mouseEvent(Number(mouse[1]), Number(mouse[2]), Number(mouse[3]), mouse[4] === "m");
  if (body === "I" || body === "O") return { kind: "focus", isFocused: body === "I" };
  if (body === "200~") return { kind: "paste-start" };
  if (body === "201~") return { kind: "ignore" };
  // Ink waits for this one while its query is open and ignores it otherwise.
  if (/^\?\d+u$/.test(body)) return { kind: "key", text: sequence };
  if (/^[?>=]/.test(body) || /^\d+;\d+R$/.test(body) || /\$y$/.test(body) || /t$/.test(body))
    return { kind: "reply", text: sequence };
  // xterm's modifyOtherKeys, which Ink drops, as the kitty form it knows.
  const other = /^27;(\d+);(\d+)~$/.exec(body);
  if (other) return { kind: "key", text: `\u001b[${other[2]};${other[1]}u` };
  return { kind: "key", text: sequence };
};

const parseCsi = (text: string, prefix: number): Parsed => {
  if (text[prefix] === "M" && prefix === 2) {
    // X10 mouse report: three bytes follow.
    if (text.length < 6) return "incomplete";
    const [code, x, y] = [...text.slice(3, 6)].map((c) => (c.codePointAt(0) ?? 32) - 32);
    return { token: mouseEvent(code ?? 0, x ?? 1, y ?? 1, false), length: 6 };
  }
  for (let index = prefix; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Linux console function keys: ESC [ [ A.
    if (code === 0x5b && index === prefix) continue;
    const isShiftedRxvtKey = code === 0x24 && index === prefix + 1 && /[235678]/.test(text[prefix] as string);
    if ((code >= 0x40 && code <= 0x7e) || isShiftedRxvtKey) {
      const sequence = text.slice(0, index + 1);
      return { token: prefix === 2 ? csiToken(sequence) : { kind: "key", text: sequence }, length: index + 1 };
    }
    // Broken: hand over the introducer as the key it may have been (Alt+[), the rest is read afresh.
    if (code < 0x20 || code > 0x3f) return { token: { kind: "key", text: text.slice(0, prefix) }, length: prefix };
  }
  return "incomplete";
};

const parseSs3 = (text: string, prefix: number): Parsed => {
  for (let index = prefix; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x40 && code <= 0x7e)
      return { token: { kind: "key", text: text.slice(0, index + 1) }, length: index + 1 };
    if (code !== 0x3b && (code < 0x30 || code > 0x39))
      return { token: { kind: "key", text: text.slice(0, prefix) }, length: prefix };
  }
  return "incomplete";
};

/** Ends of OSC, DCS, APC, PM and SOS replies. */
const parseStringReply = (text: string): Parsed => {
  const end = /\u0007|\u001b\\|\u009c/.exec(text.slice(2));
  if (end === null) return "incomplete";
  const length = 2 + end.index + end[0].length;
  return { token: { kind: "reply", text: text.slice(0, length) }, length };
};

/** Reads the sequence at the start of `text`, which begins with ESC. */
export const parseSequence = (text: string): Parsed => {
  const next = text[1];
  if (next === undefined) return "incomplete";
  if (next === "[") return parseCsi(text, 2);
  if (next === "O") return parseSs3(text, 2);
  // Alone these are Alt+] and so on; a reply always has a payload.
  if (/[\]PX^_]/.test(next)) return parseStringReply(text);
  if (next === "\u001b") {
    const third = text[2];
    if (third === undefined) return "incomplete";
    if (third === "[") return parseCsi(text, 3);
    if (third === "O") return parseSs3(text, 3);
    return { token: { kind: "key", text: "\u001b[27u" }, length: 1 };
  }
  const length = 1 + String.fromCodePoint(text.codePointAt(1) as number).length;
  return { token: { kind: "key", text: text.slice(0, length) }, length };
};
