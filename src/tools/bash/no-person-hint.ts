// What to do instead, for commands that gave up because nobody can type into them.

const hints: readonly [RegExp, string][] = [
  [
    /sudo: (a terminal is required|a password is required|no tty present|interactive authentication)/i,
    "sudo cannot ask for a password here: use sudo -n where none is needed, or ask the person to run it.",
  ],
  [
    /(^|\n)(EOFError\b|EOF when reading a line)|EOF when reading/,
    "The program read from standard input, which is empty here: give it arguments or pipe its input in.",
  ],
  [
    /Permission denied \((publickey|password|keyboard)|Host key verification failed|read_passphrase|Could not read from remote/i,
    "ssh cannot ask for a password, passphrase or host key here: it needs a key in the agent and a known host.",
  ],
  [
    /could not read (Username|Password) for|terminal prompts disabled/i,
    "git cannot ask for credentials here: they must be stored already, or the person runs this command.",
  ],
  [
    /(input device is not a TTY|not a terminal|Inappropriate ioctl for device|cannot open \/dev\/tty|\/dev\/tty: No such device)/i,
    "There is no terminal here: look for an option that makes the command work without one (-y, --no-input, --batch, -T).",
  ],
];

const window = 4_000; // of the output's end: the reason stands there

/** A hint for a failed command; undefined when its output does not say that it wanted a person. */
export const noPersonHint = (output: string): string | undefined =>
  hints.find(([pattern]) => pattern.test(output.slice(-window)))?.[1];
