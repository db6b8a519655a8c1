// Sanitises a line of a program whose colours and links (OSC 8) may stay: everything else of ESC goes.
import { sanitise } from "./sanitise.js";

const link = /\u001b\]8;[^;\u0007\u001b]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
const maxTarget = 2000;

/** A target that a terminal may open: a web or mail address in printable ASCII; "" for any other. */
const safeTarget = (target: string): string =>
  /^(?:https?:\/\/|mailto:)[!-~]+$/i.test(target) && target.length <= maxTarget ? target : "";

const open = (target: string): string => `\u001b]8;;${target}\u001b\\`;

/** One line; a link that it leaves open is closed at its end. */
export const sanitiseLinks = (line: string): string => {
  let result = "";
  let from = 0;
  let isOpen = false;
  const text = (until: number): string => sanitise(line.slice(from, until), { keepColour: true }).replaceAll("\n", " ");
  for (const match of line.matchAll(link)) {
    result += text(match.index);
    from = match.index + match[0].length;
    const target = safeTarget(match[1] ?? "");
    if (isOpen) result += open("");
    if (target !== "") result += open(target);
    isOpen = target !== "";
  }
  return result + text(line.length) + (isOpen ? open("") : "");
};
