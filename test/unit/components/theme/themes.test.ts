// Themes: colour levels, SGR and Ink properties of tokens.
import { expect, test } from "vitest";
import { parseBackground } from "../../../../components/terminal/background.js";
import { detectColourLevel, to16, to256 } from "../../../../components/theme/colours.js";
import { parseCustomTheme } from "../../../../components/theme/custom.js";
import { createLook } from "../../../../components/theme/look.js";
import { backgroundFromEnv, createTheme, resolveThemeName } from "../../../../components/theme/themes.js";
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
  const theme = createTheme("dark-ansi", "16");
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

test("auto follows the terminal's background; what is unknown does too", () => {
  expect([
    resolveThemeName("auto", "light"),
    resolveThemeName(undefined, "dark"),
    resolveThemeName("light-ansi", "dark"),
    resolveThemeName("light-daltonized", "dark"),
    resolveThemeName("constructor", "light"),
  ]).toEqual(["light", "dark", "light-ansi", "light-daltonized", "light"]);
  expect([{ COLORFGBG: "0;15" }, { COLORFGBG: "15;0" }, {}].map(backgroundFromEnv)).toEqual(["light", "dark", "dark"]);
});

test("the terminal's answer about its background is read at every precision; anything else is no answer", () => {
  const replies = ["11;rgb:ffff/ffff/ffff", "11;rgb:1c/1c/1e", "11;rgba:f/f/e/f", "11;?", "10;rgb:ffff/ffff/ffff"];
  expect(replies.map((reply) => parseBackground(`\u001b]${reply}\u001b\\`))).toEqual([
    "light",
    "dark",
    "light",
    null,
    null,
  ]);
});

test("a custom theme file changes tokens of its base; what is wrong in it is told and the rest counts", () => {
  const theme = parseCustomTheme(
    "mine",
    JSON.stringify({
      name: "Mine",
      base: "light",
      overrides: {
        claude: "rgb(1, 2, 3)",
        error: "ansi256(196)",
        diffAdded: "#abc",
        red_FOR_SUBAGENTS_ONLY: "ansi:redBright",
        claudeShimmer: "#ffffff",
        nothing: "#ffffff",
        success: "\u001b[31m",
      },
    }),
  );
  expect(theme).toEqual({
    slug: "mine",
    name: "Mine",
    base: "light",
    overrides: {
      accent: { fg: "#010203" },
      error: { fg: "ansi256(196)" },
      diffAdded: { bg: "#aabbcc" },
      agentRed: { fg: "ansi:redBright" },
    },
    problems: ['there is no token "nothing"', '"\u001b[31m" for success is no colour'],
  });
  expect(() => parseCustomTheme("mine", "{")).toThrow(/^Theme mine: /);
  expect(() => parseCustomTheme("mine", "[]")).toThrow("Theme mine: the file must hold an object.");
  const drawn = createTheme("light", "truecolour", { overrides: theme.overrides });
  expect(drawn.style("error", "x")).toBe("\u001b[38;5;196mx\u001b[39m");
  expect(createTheme("light", "16", { overrides: theme.overrides }).style("error", "x")).toBe("\u001b[31mx\u001b[39m");
});

test("the look changes at once when a theme is tried, chosen, or its file changes, and goes back", () => {
  const look = createLook({ env: {}, setting: undefined, level: "truecolour" });
  const names: string[] = [];
  look.store.subscribe(({ theme }) => names.push(`${theme.name} ${theme.style("accent", "x").slice(2, 14)}`));
  look.setBackground("light");
  look.preview("dark-ansi");
  look.preview(null);
  look.setCustom([parseCustomTheme("mine", '{"base":"dark","overrides":{"claude":"#010203"}}')]);
  look.choose("custom:mine");
  look.setCustom([parseCustomTheme("mine", '{"base":"dark","overrides":{"claude":"#040506"}}')]);
  look.setCustom([]);
  expect(names).toEqual([
    "light 38;2;184;85;",
    "dark-ansi 35mx\u001b[39m",
    "light 38;2;184;85;",
    "dark 38;2;1;2;3mx",
    "dark 38;2;4;5;6mx",
    "light 38;2;184;85;",
  ]);
});

test("every built-in theme gives every token, and good and bad differ in more than hue for the colour-blind", () => {
  for (const name of ["dark", "light", "dark-daltonized", "light-daltonized", "dark-ansi", "light-ansi"] as const) {
    const theme = createTheme(name, "256");
    for (const token of tokenNames) expect(theme.style(token, "x")).toContain("x");
    expect(theme.style("success", "x")).not.toBe(theme.style("error", "x"));
  }
});
