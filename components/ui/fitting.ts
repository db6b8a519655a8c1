// Fitting: hints that do not fit are left out whole, the least important first; nothing is cut in half.
import { textWidth } from "../../src/lib/text-width.js";

/** As `fitting`, but the last parts are the most important: keys of a dialog end with what Esc does. */
export const fittingEnd = (parts: readonly string[], room: number): string => {
  let text = "";
  for (const part of parts.toReversed()) {
    const longer = text === "" ? part : `${part} · ${text}`;
    if (textWidth(longer) > room) break;
    text = longer;
  }
  return text;
};

/** Parts joined by " · " that fit into `room` cells; earlier ones go first, one that does not fit is passed over. */
export const fitting = (parts: readonly string[], room: number): string => {
  let text = "";
  for (const part of parts) {
    const longer = text === "" ? part : `${text} · ${part}`;
    if (textWidth(longer) <= room) text = longer;
  }
  return text;
};
