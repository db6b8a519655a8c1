// Keys of the vim mode to commands: counts, operators, motions, text objects. Pure.

export interface Target {
  kind: "motion" | "find" | "object" | "lines";
  key: string;
  /** The character that was looked for, or the key of the text object. */
  argument?: string;
}

export interface Command {
  /** Null where none was typed. */
  count: number | null;
  /** `d c y > <`; null for commands of one key. */
  operator: string | null;
  /** What an operator works on, or where a motion leads. */
  target: Target | null;
  /** A command of one key, with the character that follows `r`. */
  key: string | null;
  argument?: string;
}

/** Larger counts do nothing that anybody wants in a prompt. */
const maxCount = 1_000;
const operators = "dcy><";
const motions = "hjkl wWeEbB0^$G";
const finds = "fFtT";
const single = "xXDCsSYpPJu.iaIAoOvV;,~/?";
const visualSingle = "dxXDcsSCyYpP~uU><JovV;,/?";

interface Reading {
  keys: readonly string[];
  at: number;
}

const readCount = (reading: Reading): number | null => {
  let digits = "";
  for (; reading.at < reading.keys.length; reading.at++) {
    const key = reading.keys[reading.at] as string;
    if (!/^[0-9]$/.test(key) || (digits === "" && key === "0")) break;
    digits += key;
  }
  return digits === "" ? null : Math.min(maxCount, Number(digits));
};

type Found<T> = T | "incomplete" | "invalid";

/** Where a motion or text object leads, from the reading's place on. */
const readTarget = (reading: Reading, takesObjects: boolean): Found<Target> => {
  const key = reading.keys[reading.at];
  const argument = reading.keys[reading.at + 1];
  if (key === undefined) return "incomplete";
  if (finds.includes(key)) return argument === undefined ? "incomplete" : { kind: "find", key, argument };
  if (key === "g")
    return argument === undefined ? "incomplete" : argument === "g" ? { kind: "motion", key: "gg" } : "invalid";
  if (takesObjects && (key === "i" || key === "a"))
    return argument === undefined ? "incomplete" : { kind: "object", key, argument };
  if (key === ";" || key === ",") return { kind: "find", key };
  return key.length === 1 && motions.includes(key) ? { kind: "motion", key } : "invalid";
};

const multiplied = (first: number | null, second: number | null): number | null =>
  first === null && second === null ? null : Math.min(maxCount, (first ?? 1) * (second ?? 1));

/** The command that keys make; "incomplete": more are needed; "invalid": they are none. */
export const parseVim = (keys: readonly string[], isVisual: boolean): Found<Command> => {
  const reading = { keys, at: 0 };
  const count = readCount(reading);
  const key = keys[reading.at];
  if (key === undefined) return "incomplete";
  const plain = { count, operator: null, target: null };
  if (key === "r") {
    const argument = keys[reading.at + 1];
    return argument === undefined ? "incomplete" : { ...plain, key, argument };
  }
  if (!isVisual && key.length === 1 && operators.includes(key)) {
    reading.at += 1;
    const total = multiplied(count, readCount(reading));
    const target: Found<Target> = keys[reading.at] === key ? { kind: "lines", key } : readTarget(reading, true);
    return typeof target === "string" ? target : { count: total, operator: key, target, key: null };
  }
  if (key.length === 1 && (isVisual ? visualSingle : single).includes(key)) return { ...plain, key };
  const target = readTarget(reading, isVisual);
  return typeof target === "string" ? target : { ...plain, target, key: null };
};
