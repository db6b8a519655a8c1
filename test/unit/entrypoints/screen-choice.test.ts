import { expect, test } from "vitest";
import { chooseScreen } from "../../../src/entrypoints/screen-choice.js";

test.each([
  ["nothing said: the full screen", {}, {}, {}, "fullscreen"],
  ["a dumb terminal gets lines whatever is asked for", { isInline: true }, { TERM: "dumb" }, {}, "linear"],
  [
    "the flag beats environment and setting",
    { isInline: true },
    { ACCESSIBLE: "1" },
    { axScreenReader: true },
    "inline",
  ],
  ["the accessible flag", { isLinear: true }, {}, { tui: "fullscreen" }, "linear"],
  ["ACCESSIBLE=1", {}, { ACCESSIBLE: "1" }, { tui: "fullscreen" }, "linear"],
  ["ACCESSIBLE=0 says nothing", {}, { ACCESSIBLE: "0" }, {}, "fullscreen"],
  ["no alternate screen", {}, { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" }, { tui: "fullscreen" }, "inline"],
  ["no flicker wanted", {}, { CLAUDE_CODE_NO_FLICKER: "1" }, { tui: "default" }, "fullscreen"],
  ["flicker accepted", {}, { CLAUDE_CODE_NO_FLICKER: "0" }, {}, "inline"],
  ["the setting for screen readers", {}, {}, { axScreenReader: true }, "linear"],
  ["the setting default", {}, {}, { tui: "default" }, "inline"],
] as const)("%s", (_, flags, env, settings, kind) => {
  expect(chooseScreen({ isLinear: false, isInline: false, ...flags, env, settings })).toBe(kind);
});
