// Settings of what the person sees and types.
import { z } from "zod";
import { flag, setting, text, texts } from "./entry.js";

const commandLine = z.looseObject({ type: z.literal("command"), command: z.string() });
const themes = ["auto", "dark", "light", "dark-daltonized", "light-daltonized", "dark-ansi", "light-ansi"] as const;

export const interfaceSettings = {
  theme: setting(
    z.union([z.enum(themes), z.string().startsWith("custom:")]),
    "auto",
    "Colours: a theme or custom:<slug>; auto follows the terminal's background.",
  ),
  editorMode: setting(z.enum(["normal", "vim"]), "normal", "Keys of the prompt."),
  tui: setting(z.enum(["default", "fullscreen"]), undefined, "How the terminal is used; chosen by itself when unset."),
  axScreenReader: setting(flag, false, "Plain lines for screen readers instead of a drawn screen."),
  copyOnSelect: setting(flag, true, "Copy what is selected with the mouse when the button is released."),
  verbose: setting(flag, false, "Show whole tool results."),
  viewMode: setting(z.enum(["default", "verbose", "focus"]), undefined, "How much of the transcript is shown."),
  statusLine: setting(
    commandLine.extend({
      padding: z.number().optional(),
      refreshInterval: z.number().min(1).optional(),
      hideVimModeIndicator: flag.optional(),
    }),
    undefined,
    "Command whose output is the status line.",
  ),
  fileSuggestion: setting(commandLine, undefined, "Command that answers @ completions with paths."),
  respectGitignore: setting(flag, true, "Leave ignored files out of @ completions."),
  spinnerTipsEnabled: setting(flag, true, "Show tips while working."),
  spinnerVerbs: setting(
    z.looseObject({ verbs: texts, mode: z.enum(["append", "replace"]).optional() }),
    undefined,
    "Words shown while working.",
  ),
  showTurnDuration: setting(flag, true, "Show how long a run took."),
  terminalProgressBarEnabled: setting(flag, true, "Show progress in the terminal's own bar."),
  prefersReducedMotion: setting(flag, false, "No animation."),
  syntaxHighlightingDisabled: setting(flag, false, "No colours in code."),
  showClearContextOnPlanAccept: setting(flag, undefined, "Accepted; the option is always shown."),
  agentsMd: setting(
    z.enum(["fallback", "always", "off"]),
    "fallback",
    "When AGENTS.md is read: where CLAUDE.md is missing, always, never.",
  ),
  webSearch: setting(
    z.union([z.looseObject({ command: z.string() }), z.looseObject({ endpoint: z.string() })]),
    undefined,
    "Search for providers without one: a command or an endpoint.",
    "um",
  ),
  respondToBashCommands: setting(flag, true, "The model answers after a ! command."),
  autoScrollEnabled: setting(flag, true, "Follow new output."),
  wheelScrollAccelerationEnabled: setting(flag, true, "Scroll faster when the wheel spins."),
  askUserQuestionTimeout: setting(
    z.enum(["60s", "5m", "10m", "never"]),
    "never",
    "How long a question of the model waits.",
    "um",
  ),
  preferredNotifChannel: setting(
    z.enum(["auto", "terminal_bell", "iterm2", "iterm2_with_bell", "kitty", "ghostty", "notifications_disabled"]),
    "auto",
    "How the terminal calls for attention.",
  ),
};

/** Settings of git and its texts. */
export const gitSettings = {
  attribution: setting(
    z.looseObject({ commit: text.optional(), pr: text.optional(), sessionUrl: flag.optional() }),
    undefined,
    "Lines added to commits and pull requests; an empty text removes them.",
  ),
  includeCoAuthoredBy: setting(flag, true, "Old form of attribution; loses to it."),
  includeGitInstructions: setting(flag, true, "Tell the model how to commit, and the state of the repository."),
};
