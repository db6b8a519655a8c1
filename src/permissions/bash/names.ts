// What names of variables tell: which may be set, which are safe in front of a command, which look secret.

const safeInFront: ReadonlySet<string> = new Set(
  "LANG LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE NODE_ENV CI COLUMNS LINES".split(" "),
);

/** Whether a variable may stand in front of a command without changing what the command can do. */
export const isSafeInFront = (name: string): boolean => safeInFront.has(name) || /^LC_[A-Z]+$/.test(name);

const secretWords = /KEY|TOKEN|SECRET|PASS|CRED|AUTH|COOKIE|SESSION|PRIVATE/i;
const secretFamilies = /^(AWS|AZURE|GCP|GITHUB|NPM|ANTHROPIC|OPENAI|GOOGLE)_/i;

/** Whether the name of a variable suggests that its value must not be shown. */
export const looksSecret = (name: string): boolean => secretWords.test(name) || secretFamilies.test(name);

const steering =
  /^(PATH|IFS|ENV|BASH.*|SHELLOPTS|POSIXLY_CORRECT|CDPATH|HOME|PWD|OLDPWD|TMPDIR|SHELL|PS[0-4]|PROMPT_COMMAND|PAGER.*|.*PAGER|EDITOR|VISUAL|BROWSER|GLOBIGNORE|HIST.*|LD_.*|DYLD_.*|GIT_.*|.*_proxy|npm_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|LESS.*|GREP_.*|RIPGREP_.*|XDG_.*|SSH_.*|DISPLAY|MAILPATH|FCEDIT|INPUTRC|TERMINFO|LOCPATH|NLSPATH|FUNCNAME|EUID|UID|PPID|SECONDS|RANDOM|OPTIND|OPTARG|REPLY|MAPFILE|__proto__)$/i;

/** Whether setting the variable inside the shell can change what later commands do. */
export const isPlainVariable = (name: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !steering.test(name) && !Object.hasOwn(env, name);
