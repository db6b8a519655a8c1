// The look in force: the theme that was chosen, or is being tried, at this terminal's colour level, with or without
// coloured code. Everything that draws asks here, so that a change is seen at once and everywhere.
import { createStore, type StoreApi } from "zustand/vanilla";
import { createHighlighter, type Grammars, loadGrammars } from "../highlight/highlighter.js";
import { type ColourLevel, detectColourLevel } from "./colours.js";
import type { CustomTheme } from "./custom.js";
import { type Background, backgroundFromEnv, createTheme, resolveThemeName, type Theme } from "./themes.js";

export interface ThemeChoice {
  value: string;
  label: string;
  detail: string;
}

export interface Look {
  /** The theme now; a new object with each change. */
  store: StoreApi<{ theme: Theme }>;
  theme(): Theme;
  /** The setting in force ("auto", "dark", "custom:mine"). */
  setting(): string;
  choose(setting: string): void;
  /** Shows another theme for a while; null goes back to the chosen one. */
  preview(setting: string | null): void;
  /** What the terminal answered about its background. */
  setBackground(background: Background): void;
  setCustom(themes: readonly CustomTheme[]): void;
  setHighlighting(isOn: boolean): void;
  readonly isHighlighting: boolean;
  /** Every theme there is, for the picker. */
  choices(): ThemeChoice[];
}

export interface LookOptions {
  env: Record<string, string | undefined>;
  setting: string | undefined;
  isHighlighting?: boolean;
  level?: ColourLevel;
  /** For tests: how the grammars are loaded. */
  loadGrammars?: () => Promise<Grammars>;
}

const builtIn: readonly ThemeChoice[] = [
  { value: "auto", label: "Auto", detail: "follows the terminal's background" },
  { value: "dark", label: "Dark", detail: "" },
  { value: "light", label: "Light", detail: "" },
  { value: "dark-daltonized", label: "Dark, colour-blind friendly", detail: "blue and orange" },
  { value: "light-daltonized", label: "Light, colour-blind friendly", detail: "blue and orange" },
  { value: "dark-ansi", label: "Dark, the terminal's colours", detail: "16 colours only" },
  { value: "light-ansi", label: "Light, the terminal's colours", detail: "16 colours only" },
];

export const createLook = (options: LookOptions): Look => {
  const level = options.level ?? detectColourLevel(options.env);
  let chosen = options.setting ?? "auto";
  let tried: string | null = null;
  let background = backgroundFromEnv(options.env);
  let custom: readonly CustomTheme[] = [];
  let isHighlighting = options.isHighlighting ?? true;
  const highlighter = createHighlighter({
    load: options.loadGrammars ?? loadGrammars,
    onReady: () => refresh(),
    onError: (error) => console.error("Code stays plain:", error),
  });
  const make = (): Theme => {
    const setting = tried ?? chosen;
    const own = setting.startsWith("custom:") ? custom.find(({ slug }) => slug === setting.slice(7)) : undefined;
    const name = own?.base ?? resolveThemeName(setting, background);
    const highlight = isHighlighting ? highlighter.highlight : undefined;
    const code = !isHighlighting ? "plain" : highlighter.isReady ? "code" : "waiting";
    // A changed file has the same slug: its overrides are part of what rows were drawn with.
    const id = `${own ? `custom:${own.slug}:${JSON.stringify(own.overrides)}` : name}/${code}`;
    return createTheme(name, level, { id, highlight, ...(own ? { overrides: own.overrides } : {}) });
  };
  const store = createStore<{ theme: Theme }>()(() => ({ theme: make() }));
  const refresh = (): void => {
    const theme = make();
    if (theme.key !== store.getState().theme.key) store.setState({ theme });
  };
  return {
    store,
    theme: () => store.getState().theme,
    setting: () => chosen,
    choose: (setting) => {
      chosen = setting;
      tried = null;
      refresh();
    },
    preview: (setting) => {
      tried = setting;
      refresh();
    },
    setBackground: (found) => {
      background = found;
      refresh();
    },
    setCustom: (themes) => {
      custom = themes;
      refresh();
    },
    setHighlighting: (isOn) => {
      isHighlighting = isOn;
      refresh();
    },
    get isHighlighting() {
      return isHighlighting;
    },
    choices: () => [
      ...builtIn,
      ...custom.map(({ slug, name, problems }) => ({
        value: `custom:${slug}`,
        label: name,
        detail: problems.length === 0 ? `~/.claude/themes/${slug}.json` : `${problems.length} lines not understood`,
      })),
    ],
  };
};
