// Environment of the model's commands: nothing that changes what bash runs, nothing that waits for a person.
import type { Env } from "../paths.js";

/** Variables that make bash run or mean something else than the analysed text. */
const changesBash = new Set([
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASHOPTS",
  "PROMPT_COMMAND",
  "PS4",
  "CDPATH",
  "GLOBIGNORE",
  "POSIXLY_CORRECT",
]);

/** Name of the variable by which every descendant of a command is found again. */
export const markVariable = "CLAUDE_CODE_SHELL_MARK";

// Git starts its editor as `sh -c '<this> "$@"'`: the sentence reaches the model, `false` makes git stop.
const noEditor = `echo 'There is no editor here: give the text with -m, -F or --no-edit.' >&2; false`;
const noSequenceEditor = `echo 'There is no editor here: an interactive rebase needs GIT_SEQUENCE_EDITOR set to a command.' >&2; false`;

/**
 * The inherited environment made fit for a command without a person: no start-up files, no exported functions,
 * pagers that print, editors that fail at once, no terminal prompts.
 */
export const shellEnv = (inherited: Env, own: { cwd: string; mark: string; sessionId?: string }): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (!changesBash.has(name) && !name.startsWith("BASH_FUNC_")) env[name] = value;
  }
  const outer = inherited[markVariable];
  return Object.assign(env, {
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: noEditor,
    GIT_SEQUENCE_EDITOR: noSequenceEditor,
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_PID: String(process.pid),
    ...(own.sessionId ? { CLAUDE_CODE_SESSION_ID: own.sessionId } : {}),
    PWD: own.cwd, // bash takes it over when it names the folder it starts in: links in the path stay visible
    [markVariable]: outer ? `${outer}/${own.mark}` : own.mark,
  });
};
