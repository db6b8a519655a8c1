// What the model is told by /init.

/** `wish`: what the person adds, "" for nothing. */
export const initPrompt = (wish: string): string =>
  `Write a CLAUDE.md for this project: the page that you will be given at the beginning of every later session here.

1. Look first. README, manifests and lock files, build and CI files, the folder structure, a few central source files and their tests, and any instructions for other tools (AGENTS.md, .cursorrules, .github/copilot-instructions.md). If a CLAUDE.md exists, read it: then improve it in place and keep what its authors wrote unless it is wrong.
2. Write only what cannot be seen at a glance and what prevents mistakes:
   - the commands that build, check, test and run it, and how to run one single test; only commands you found in the project, checked where that is harmless;
   - how the parts fit together: what takes reading several files to understand;
   - conventions that this project really follows and that differ from what one would expect; traps.
3. Leave out what is generic advice, lists of every file, and whatever changes weekly. Invent nothing: what you did not find is not there. Never copy secrets into it.
4. Aim for one screen or two. Headings, short lists, exact commands and paths.

At the end say in a few lines what you wrote and what you were unsure of.${wish === "" ? "" : `\n\nThe person adds: ${wish}`}`;
