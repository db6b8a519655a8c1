// Lines of a status line: colours and safe links stay, everything else of ESC goes.
import { expect, test } from "vitest";
import { sanitiseLinks } from "../../../src/lib/sanitise-links.js";

const esc = "\u001b";

test("colours and web links stay, a link left open is closed", () => {
  expect(sanitiseLinks(`${esc}[32mok${esc}[0m`)).toBe(`${esc}[32mok${esc}[0m`);
  expect(sanitiseLinks(`${esc}]8;;https://a.example/x\u0007text`)).toBe(
    `${esc}]8;;https://a.example/x${esc}\\text${esc}]8;;${esc}\\`,
  );
});

test("targets that are no web or mail address, titles, moves and modes go", () => {
  expect(sanitiseLinks(`${esc}]8;;file:///etc/passwd${esc}\\a${esc}]8;;${esc}\\`)).toBe("a");
  expect(sanitiseLinks(`${esc}]0;title\u0007b${esc}[2J${esc}[?1049hc`)).toBe("bc");
});
