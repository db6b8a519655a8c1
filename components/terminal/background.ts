// Asks the terminal for its background colour. Many never answer: nobody waits for this.
import type { Background } from "../theme/themes.js";

/** The question (OSC 11). */
export const backgroundQuery = "\u001b]11;?\u001b\\";

/** "dark" or "light" from the terminal's answer; null when it is something else. */
export const parseBackground = (reply: string): Background | null => {
  const match = /^\u001b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(reply);
  if (!match) return null;
  const [red, green, blue] = match.slice(1).map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1)) as [
    number,
    number,
    number,
  ];
  // Relative luminance, close enough without the gamma curve.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? "light" : "dark";
};
