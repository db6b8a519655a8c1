// What the model is told by /review, /security-review and /simplify.

const subject = (wish: string): string =>
  wish === ""
    ? "The subject: everything that is not committed (staged, unstaged and new files); if there is nothing, the commits of this branch that its main branch lacks; if there are none, the newest commit."
    : `The subject, in the person's words: ${wish}. A number or a link means a pull request (use gh when it is there); a name means a branch, commit or path.`;

const form = `Report each finding as: **severity** (critical, serious, minor) · \`file:line\` · what goes wrong, for which input or sequence · the smallest fix. Most severe first. Report only what you have checked in the code; when you found nothing, say so and say what you looked at. Change nothing.`;

/** A review of correctness. `wish`: what to review, "" for what is uncommitted. */
export const reviewPrompt = (wish: string): string =>
  `Review a change as a careful colleague would.

${subject(wish)}

1. Get the diff, then read the changed files around it and the callers of what changed: a diff alone hides half of the mistakes.
2. Look for, in this order: wrong results and broken cases (empty, huge, concurrent, failing); lost or corrupted data; broken callers and contracts; errors that are swallowed; security; tests that are missing or cannot fail; what makes the code harder to understand than it needs to be. Style that a formatter decides is no finding.
3. Try to refute each finding before you report it. Drop what does not survive.

${form}`;

/** A review for security holes. */
export const securityReviewPrompt = (wish: string): string =>
  `Review a change for security holes that it opens or leaves open in the code it touches.

${subject(wish)}

1. Find where data from outside enters (people, network, files, environment, models) and follow it to where it has power: commands, queries, paths, markup, deserialisers, redirects, requests, memory.
2. Look at who may do what: missing or wrong checks of identity and rights, one user reaching another's data, secrets in code, logs or answers, weak or misused cryptography, checks that can be raced or skipped, defaults that are open, dependencies that were added.
3. Report only what somebody could exploit: name the attacker, the input and the damage. No theoretical hardening, no missing rate limits, no denial of service by mere volume. Try to refute each finding; drop what you are not rather sure of.

${form}`;

/** Simplification of a change. */
export const simplifyPrompt = (wish: string): string =>
  `Make a change simpler without changing what it does.

${subject(wish)}

1. Read the diff and the code around it. Find the tests and checks that cover it and run them first, so that you know they pass.
2. Look for: code that repeats what the project or a library in use already has; branches, options, parameters and layers that nothing needs; state that can be derived; work done twice or in a loop for nothing; names and comments that explain poorly what the code could say; pieces that became unused.
3. Make the improvements that are clearly worth it, inside the subject only. Public behaviour, file formats and messages stay. Leave alone what is a matter of taste.
4. Run the checks again. Report what became simpler, in a line each, and what you left and why.`;
