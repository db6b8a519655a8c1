// The guided tour: real tools and real permissions, step by step, in any folder; it touches only claude-tour/notes.md.
import { absolutePath, type View } from "./conversation.js";
import { carryOut, offerPlan } from "./plan.js";
import { callAll, callOne, type Outcome, type Part, type Program, say } from "./program.js";
import { writeFile } from "./steps.js";
import { backgroundTask, count, listedPaths, readLines, toolMessage } from "./summaries.js";

const notes = "claude-tour/notes.md";
const firstLine = "- I was created by the guided tour.";
const changedLine = "- I was created by the guided tour, then changed by it.";
const notesText = `# Notes from the tour\n\n${firstLine}\n`;
const removal =
  "To remove what the tour made, delete the folder claude-tour (in a shell: rm -r claude-tour), or type /rewind: it goes back to before one of your prompts, with the conversation, the files or both.";

const readableKinds = [
  "md",
  "txt",
  "json",
  "yaml",
  "yml",
  "toml",
  "ts",
  "js",
  "py",
  "go",
  "rs",
  "java",
  "c",
  "sh",
  "html",
  "css",
];
const kindOf = (path: string): number => readableKinds.indexOf(path.split(".").at(-1)?.toLowerCase() ?? "");
const isHidden = (path: string): boolean => /(^|\/)\./.test(path);

/** The file that is nicest to read aloud: text, not hidden, short name; the same for the same list. */
const pickFile = (paths: readonly string[], cwd: string | undefined): string | undefined => {
  const relative = (path: string): string => (cwd && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
  return paths
    .map(relative)
    .filter((path) => kindOf(path) >= 0 && !isHidden(path) && !/(^|\/)(?:node_modules|claude-tour)\//.test(path))
    .sort((a, b) => kindOf(a) - kindOf(b) || a.length - b.length || (a < b ? -1 : 1))[0];
};

/** Gives the next step its number: steps that are left out leave no gap. */
type Steps = () => number;
const countSteps = (): Steps => {
  let last = 0;
  return () => ++last;
};

function* lookAround(view: View, step: Steps): Program {
  yield* say(
    "Welcome. I am the offline model: a script, no AI, but everything I do goes through the real tools and the real permission rules.\n\n" +
      `**${step()} · Looking around.** I list the files here. Looking inside your folder needs no permission.`,
  );
  let paths: string[] = [];
  if (view.tools.has("Glob")) {
    const top = yield* callOne("Glob", { pattern: "*" });
    paths = top.isError ? [] : listedPaths(top.text);
    if (pickFile(paths, view.cwd) === undefined) {
      const below = yield* callOne("Glob", { pattern: "*/*" });
      paths = below.isError ? [] : listedPaths(below.text);
    }
  }
  const file = pickFile(paths, view.cwd);
  if (file === undefined || !view.tools.has("Read")) {
    yield* say(
      "There is no text file here that I could read aloud. That is fine: the tour works in an empty folder too.",
    );
    return;
  }
  yield* say(
    `**${step()} · Reading.** I read ${file}. A model does this to learn how your project works before it changes anything.`,
  );
  const outcome = yield* callOne("Read", { file_path: absolutePath(file, view.cwd) });
  yield* say(
    outcome.isError
      ? `That did not work (${toolMessage(outcome.text)}), and nothing is lost by it.`
      : `I have seen ${count(readLines(outcome.text).length, "line")} of ${file}. Nothing was changed.`,
  );
}

const deniedCalmly = "It was refused, so nothing was written. That is how it should be: nothing changes without a yes.";

/** Answers what the person said about a step; the tour goes on either way. */
function* hear({ words }: Outcome): Program {
  if (words === undefined) return;
  const shown = toolMessage(words);
  yield* say(
    `You said: "${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}". A real model would act on that; I am a script, so I leave it there and go on with the tour.`,
  );
}

/** Creates and changes the notes file. True when it is there afterwards. */
function* writeAndEdit(view: View, step: Steps): Part<boolean> {
  if (!view.tools.has("Write")) return false;
  yield* say(
    `**${step()} · Creating a file.** I would like to create ${notes}. You are shown its content first; unless your settings allow edits, you are asked.`,
  );
  const created = yield* writeFile(view, notes, notesText);
  yield* hear(created);
  if (created.isError) {
    yield* say(created.isDenied ? deniedCalmly : `The file could not be created: ${toolMessage(created.text)}`);
    return false;
  }
  if (!view.tools.has("Edit")) return true;
  yield* say(
    `${notes} is on your disk now.\n\n**${step()} · Changing a file.** A small edit. Look at the red and green lines: that is the whole change.`,
  );
  const edited = yield* callOne("Edit", {
    file_path: absolutePath(notes, view.cwd),
    old_string: firstLine,
    new_string: changedLine,
  });
  yield* hear(edited);
  yield* say(
    edited.isDenied
      ? "It was refused, so the file stays as it was."
      : edited.isError
        ? `The change did not work: ${toolMessage(edited.text)}`
        : "The change is made.",
  );
  return true;
}

function* runSomething(view: View, step: Steps, hasNotes: boolean): Program {
  if (!view.tools.has("Bash")) return;
  const command = hasNotes ? `wc -l ${notes}` : "pwd";
  yield* say(
    `**${step()} · Running a command.** \`${command}\` only looks, so it may run unasked. Anything that could change something asks first, command by command.`,
  );
  const outcome = yield* callOne("Bash", { command, description: "Harmless command of the tour" });
  yield* hear(outcome);
  yield* say(
    outcome.isError
      ? outcome.isDenied
        ? "It was refused, so it did not run."
        : `It did not work: ${toolMessage(outcome.text)}`
      : `It printed: ${toolMessage(outcome.text) || "nothing"}`,
  );
}

/** Starts a command in the background. Gives its task, when it runs there. */
function* runInBackground(view: View, step: Steps, hasNotes: boolean): Part<string | undefined> {
  if (!view.tools.has("Bash")) return undefined;
  const command = `sleep 1 && ${hasNotes ? `wc -l ${notes}` : "pwd"}`;
  yield* say(
    `**${step()} · A command in the background.** Servers and long builds need not hold me up: \`${command}\` runs beside what comes next, /tasks shows it, and a notice tells when it ends.`,
  );
  const input = { command, description: "Slow command of the tour", run_in_background: true };
  const outcome = yield* callOne("Bash", input);
  yield* hear(outcome);
  const task = outcome.isError ? undefined : backgroundTask(outcome.text);
  if (task !== undefined) yield* say(`It runs as ${task}, and I go on.`);
  else if (outcome.isDenied) yield* say("It was refused, so it did not run.");
  else if (outcome.isError) yield* say(`It did not work: ${toolMessage(outcome.text)}`);
  else yield* say(`Here it ran in front of you. It printed: ${toolMessage(outcome.text) || "nothing"}`);
  return task;
}

/** Tells the end of the background command: from its notice, or by waiting for it. */
function* endOfBackground(view: View, task: string, notices: readonly string[]): Program {
  if (notices.length > 0) return yield* say(`The notice from the background has come: ${notices.join("; ")}`);
  if (!view.tools.has("TaskOutput")) return;
  yield* say(`The command in the background (${task}) has not told its end yet, so I wait for it.`);
  const outcome = yield* callOne("TaskOutput", { task_id: task, block: true, timeout: 10_000 });
  yield* say(outcome.isError ? `I could not wait: ${toolMessage(outcome.text)}` : "It has ended.");
}

const lookouts = [
  {
    description: "what lies here",
    subagent_type: "Explore",
    prompt: 'list files here, then list files matching */*, then search for "version"',
  },
  {
    description: "what is written",
    subagent_type: "Explore",
    prompt: 'list files matching **/*.md, then search for "tour", then search for "import"',
  },
];

/** The first line of an agent's report, without what it quotes. */
const headline = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !line.startsWith("`")) ?? "nothing";

/** Two agents look around. Gives the notices that came meanwhile. */
function* twoAgents(view: View, step: Steps): Part<readonly string[]> {
  if (!view.tools.has("Agent")) return [];
  yield* say(
    `**${step()} · Two agents at once.** A model hands wide searches to agents: each works in a context of its own and reports back. Their panes stand above the prompt while they work; they only look.`,
  );
  const outcomes = yield* callAll(lookouts.map((input) => ({ name: "Agent", input })));
  if (outcomes[0]) yield* hear(outcomes[0]);
  const reports = outcomes.map(
    ({ isError, text }, index) =>
      `- ${lookouts[index]?.description}: ${isError ? `not done (${toolMessage(text)})` : headline(text)}`,
  );
  yield* say(["Both are back. Only their reports came into this conversation:", ...reports].join("\n"));
  return outcomes[0]?.notices ?? [];
}

const planSteps = (hasNotes: boolean): string[] => [
  hasNotes
    ? `Append "- The plan was approved and carried out." to ${notes}`
    : `Create ${notes} with "- The plan was approved and carried out."`,
  `Read ${notes}`,
  `Say "The plan is carried out, and with it the tour. ${removal} Next: type help to see what I understand, or start again with an API key to work with a real model."`,
];

function* closing(hasNotes: boolean): Program {
  yield* say(
    `That was the tour.${hasNotes ? ` ${removal}` : " It left nothing behind."} Type help to see what else I understand, or start again with an API key to work with a real model.`,
  );
}

/** The tour from its first step to its last. A refused step is skipped calmly, a tool that is not offered is not mentioned. */
export function* tour(view: View): Program {
  const step = countSteps();
  yield* lookAround(view, step);
  let hasNotes = false;
  if (view.isPlanning) {
    yield* say("You are in plan mode, so nothing may change until a plan is approved. I go straight to the plan.");
  } else {
    hasNotes = yield* writeAndEdit(view, step);
    yield* runSomething(view, step, hasNotes);
    const task = yield* runInBackground(view, step, hasNotes);
    const notices = yield* twoAgents(view, step);
    if (task !== undefined) yield* endOfBackground(view, task, notices);
  }
  if (!view.tools.has("ExitPlanMode")) return yield* closing(hasNotes);
  yield* say(
    `**${step()} · Planning.** For larger work a model writes a plan first and changes nothing until you approve it. ` +
      "I write one now. You get four choices: start with a fresh context, start and keep the context, start and approve each edit, or keep planning with your feedback.",
  );
  const approved = yield* offerPlan(view, { title: "finish the tour", steps: planSteps(hasNotes) });
  if (approved) yield* carryOut(view, approved);
  else yield* closing(hasNotes);
}
