// Themes: colour levels, SGR and Ink properties of tokens.
import { expect, test } from "vitest";
import { detectColourLevel, to16, to256 } from "../../../../components/theme/colours.js";
import { createTheme, resolveThemeName } from "../../../../components/theme/themes.js";
import { tokenNames } from "../../../../components/theme/tokens.js";

test("the colour level follows the environment's conventions, NO_COLOR first", () => {
  const levels = [
    { NO_COLOR: "1", FORCE_COLOR: "3" },
    { NO_COLOR: "", TERM: "xterm-256color" },
    { FORCE_COLOR: "2" },
    { TERM: "dumb" },
    { TERM: "xterm", COLORTERM: "truecolor" },
    { TERM: "xterm-kitty" },
    { TERM: "xterm" },
  ].map((env) => detectColourLevel(env));
  expect(levels).toEqual(["none", "256", "256", "none", "truecolour", "truecolour", "16"]);
  expect(detectColourLevel({ TERM: "xterm-256color" }, false)).toBe("none");
});

test("a token opens and closes its style, and nested styles survive", () => {
  const theme = createTheme("ansi", "16");
  expect(theme.style("error", "no")).toBe("\u001b[31mno\u001b[39m");
  expect(theme.style("error", `a${theme.style("success", "b")}c`)).toBe(
    "\u001b[31ma\u001b[32mb\u001b[39m\u001b[31mc\u001b[39m",
  );
  expect(theme.style("text", "x") + theme.style("error", "")).toBe("x");
});

test("without colours only weight is left, in rows and for Ink", () => {
  const theme = createTheme("dark", "none");
  const all = tokenNames.map((token) => theme.style(token, "x")).join("");
  expect([...all.matchAll(/\u001b\[([0-9;]+)m/g)].flatMap(([, codes]) => (codes as string).split(";"))).not.toContain(
    "38",
  );
  for (const token of tokenNames)
    expect([theme.ink(token).color, theme.ink(token).backgroundColor]).toEqual([undefined, undefined]);
  expect(theme.style("strong", "x")).toBe("\u001b[1mx\u001b[22m");
});

test("colours are reduced to what the terminal has", () => {
  expect([to256("#ff0000"), to256("#808080"), to16("#f2707f")]).toEqual([196, 244, 9]);
  expect(createTheme("dark", "256").ink("error")).toEqual({ color: "ansi256(204)" });
  expect(createTheme("dark", "truecolour").ink("error")).toEqual({ color: "#f2707f" });
});

test("auto picks light only where the terminal says so", () => {
  expect([
    resolveThemeName("auto", { COLORFGBG: "0;15" }),
    resolveThemeName(undefined, {}),
    resolveThemeName("light-ansi", {}),
    resolveThemeName("light-daltonized", {}),
  ]).toEqual(["light", "dark", "ansi", "light"]);
});
