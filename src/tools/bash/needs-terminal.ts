// Programs that take over a terminal (editors, monitors, multiplexers): told before they start, since some never end here.
import type { ShellAnalysis } from "../../permissions/bash/analysis.js";
import type { ToolContext } from "../tool.js";

interface Program {
  names: readonly string[];
  /** Whether it works without a terminal when it is given these words. */
  isFine?: (words: readonly string[]) => boolean;
  instead: string;
}

const split = (text: string): string[] => text.split(" ");
const asks = (words: readonly string[]): boolean => words.some((word) => /^(--?version|--?help|-V)$/.test(word));
const has = (words: readonly string[], pattern: RegExp): boolean => words.some((word) => pattern.test(word));

/** `-es`, `--headless`, a script of keys, or a command that quits. */
const isVimScripted = (words: readonly string[]): boolean =>
  has(words, /^(-[a-zA-Z]*[eE]s|-[sSWhl]|--headless|--remote(-.*)?|--serverlist|--clean-version)$/) ||
  (has(words, /^-[eE]$/) && has(words, /^-s$/)) ||
  /(?:^| )(?:\+|-c |--cmd )["']?:?(?:.*\|)?(?:wq|[wx]?qa?ll|x|xa|qa?|cq)a?!?["']?(?: |$)/.test(words.join(" "));

const editText = "change files with Edit, Write or sed, and read them with Read";

const programs: readonly Program[] = [
  { names: split("vim vi nvim view vimdiff nvimdiff gvim ex rvim"), isFine: isVimScripted, instead: editText },
  { names: split("nano pico micro hx helix kak joe jed mcedit ne"), instead: editText },
  {
    names: ["emacs"],
    isFine: (words) => has(words, /^--?(batch|script|daemon.*|fg-daemon.*|x)$/),
    instead: `${editText}, or give emacs --batch`,
  },
  {
    names: ["emacsclient"],
    isFine: (words) => has(words, /^(-e|--eval|-n|--no-wait|-[a-z]*[en][a-z]*)$/),
    instead: editText,
  },
  { names: ["watch"], instead: "run the command once, or repeat it a fixed number of times in a loop" },
  {
    names: ["top"],
    isFine: (words) => has(words, /^-?[a-zA-Z]*b[a-zA-Z]*\d*$|^-l$/),
    instead: "use top -b -n 1 or ps",
  },
  { names: split("htop btop btm atop glances nmon"), instead: "use ps, or top -b -n 1" },
  {
    names: ["tmux"],
    isFine: (words) => {
      const [name = "new-session", ...rest] = words.filter(
        (word, at) => !/^-[LSf]$/.test(words[at - 1] ?? "") && !/^-[LSf2uv].*$/.test(word),
      );
      if (/^(new|new-session)$/.test(name)) return has(rest, /^-[A-Za-z]*d/);
      return !/^(a|at|attach|attach-session)$/.test(name);
    },
    instead: "start a session detached (tmux new-session -d), and use send-keys and capture-pane",
  },
  {
    names: ["screen"],
    isFine: (words) => has(words, /^-(d?[dD]m.*|ls|list|X|Q|wipe|v|dm.*|d|D)$/),
    instead: "start it detached (screen -dmS NAME COMMAND)",
  },
  {
    names: ["fzf"],
    isFine: (words) => has(words, /^(-f.*|--filter(=.*)?|--bash|--zsh|--fish|--man)$/),
    instead: "filter with grep, or with fzf --filter",
  },
  {
    names: split("mc ranger nnn lf vifm tig lazygit gitui"),
    isFine: (words) => has(words, /^-P$/),
    instead: "use ls, find and git",
  },
  { names: ["ncdu"], isFine: (words) => has(words, /^-(o.*|0)$/), instead: "use du -sh *" },
  {
    names: ["crontab"],
    isFine: (words) => !has(words, /^-e$/),
    instead: "read the table with crontab -l and install a changed one with crontab FILE",
  },
  {
    names: split("visudo vipw vigr"),
    isFine: (words) => has(words, /^-[a-z]*c/),
    instead: "ask the person to run it",
  },
  {
    names: ["git"],
    isFine: (words) =>
      !/^(difftool|mergetool)$/.test(words[0] ?? "") || has(words, /^(--tool-help|-x|--extcmd(=.*)?)$/),
    instead: "use git diff, and solve conflicts with Edit",
  },
];

const byName = new Map(programs.flatMap((program) => program.names.map((name) => [name, program] as const)));
const mention = new RegExp(
  `(?<![\\w-])(?:${[...byName.keys()].filter((name) => name !== "git").join("|")}|difftool|mergetool)(?![\\w-])`,
);

/** Programs that give their command a terminal of its own. */
const givesTerminal = /^(script|unbuffer|expect|socat|tmux|screen|zellij|ttyd|asciinema) /;

const editorInFront =
  /^(?:\w+=\S* )*(?:GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)=["']?(?:[^\s"']*\/)?(vim?|nvim|nano|emacs|micro|pico)["']? /;

const sentence = (name: string, { instead }: Program): string =>
  `Nothing ran: ${name} needs a terminal and a person at its keys, and there is neither here. Instead, ${instead}. The person can run it in a terminal of their own.`;

/** The hint for one of the ways in which a command can be seen; undefined when it is none of those programs. */
const hintOf = (text: string): string | undefined => {
  const [name = "", ...words] = text.split(" ");
  const program = byName.get(name);
  if (!program || asks(words) || program.isFine?.(words)) return undefined;
  return sentence(name === "git" ? `git ${words[0]}` : name, program);
};

/** What to do instead, when the analysed command holds a program that takes over the terminal. */
export const terminalHint = ({ parts }: ShellAnalysis): string | undefined => {
  const texts = parts.flatMap(({ strictTexts }) => strictTexts);
  if (texts.some((text) => givesTerminal.test(text) && hintOf(text) === undefined)) return undefined;
  for (const part of parts) {
    if (part.findings.some(({ check }) => check === "X3" || check === "D3")) continue; // another program of that name
    const editor = editorInFront.exec(part.allowText)?.[1];
    const program = editor === undefined ? undefined : byName.get(editor);
    if (editor !== undefined && program) return sentence(editor, program);
    const hint = part.strictTexts.map(hintOf).find((found) => found !== undefined);
    if (hint !== undefined) return hint;
  }
  return undefined;
};

/** The hint for a command as typed; the analyser is loaded only when one of the names stands in it. */
export const needsTerminal = async (command: string, context: ToolContext): Promise<string | undefined> => {
  if (!mention.test(command)) return undefined;
  const { loadShellAnalyser } = await import("../../permissions/bash/index.js");
  const analyse = await loadShellAnalyser();
  return terminalHint(analyse(command, context));
};
