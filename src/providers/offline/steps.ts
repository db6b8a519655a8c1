// What the offline model does for each request, through the real tools.
import { absolutePath, type View } from "./conversation.js";
import { callAll, callOne, type Outcome, type Part, type Program, say } from "./program.js";
import type { OfflineRequest } from "./requests.js";
import {
  count,
  listSummary,
  readLines,
  readSummary,
  runSummary,
  searchSummary,
  toolMessage,
  troubleWith,
} from "./summaries.js";

type Of<K extends OfflineRequest["kind"]> = Extract<OfflineRequest, { kind: K }>;

/** Says so when a tool is not offered; true when it is. */
function* needs(view: View, ...names: string[]): Part<boolean> {
  const missing = names.filter((name) => !view.tools.has(name));
  if (missing.length === 0) return true;
  yield* say(
    `I cannot do that here: ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not offered in this session.`,
  );
  return false;
}

function* readFiles(view: View, { files, offset, limit }: Of<"read">): Program {
  if (!(yield* needs(view, "Read"))) return;
  const outcomes = yield* callAll(
    files.map((file) => ({
      name: "Read",
      input: {
        file_path: absolutePath(file, view.cwd),
        ...(offset !== undefined && { offset }),
        ...(limit !== undefined && { limit }),
      },
    })),
  );
  for (const [index, outcome] of outcomes.entries()) yield* say(readSummary(outcome, files[index] ?? "the file"));
}

function* listFiles(view: View, { folder, glob }: Of<"list">): Program {
  if (!(yield* needs(view, "Glob"))) return;
  const path = folder && absolutePath(folder, view.cwd);
  const outcome = yield* callOne("Glob", { pattern: glob, ...(path && { path }) });
  yield* say(listSummary(outcome, `files matching ${glob}${folder ? ` in ${folder}` : ""}`));
}

function* search(view: View, { pattern, shown, path }: Of<"search">): Program {
  if (!(yield* needs(view, "Grep"))) return;
  const where = path && absolutePath(path, view.cwd);
  const outcome = yield* callOne("Grep", {
    pattern,
    output_mode: "content",
    "-n": true,
    ...(where && { path: where }),
  });
  yield* say(searchSummary(outcome, shown));
}

function* run(view: View, { command }: Of<"run">): Program {
  if (!(yield* needs(view, "Bash"))) return;
  yield* say(runSummary(yield* callOne("Bash", { command, description: "Runs the command you asked for" }), command));
}

function* edit(view: View, file: string, oldText: string, newText: string, all = false): Part<Outcome> {
  return yield* callOne("Edit", {
    file_path: absolutePath(file, view.cwd),
    old_string: oldText,
    new_string: newText,
    ...(all && { replace_all: true }),
  });
}

function* replace(view: View, { from, to, file, all }: Of<"replace">): Program {
  if (!(yield* needs(view, "Read", "Edit"))) return;
  yield* say(`I read ${file} first, then make the change.`);
  const before = yield* callOne("Read", { file_path: absolutePath(file, view.cwd) });
  const unread = troubleWith(before, `read ${file}`);
  if (unread) return yield* say(unread);
  const outcome = yield* edit(view, file, from, to, all);
  const trouble = troubleWith(outcome, `change ${file}`);
  yield* say(trouble ?? `Done: "${from}" is now "${to}" in ${file}${all ? ", everywhere" : ""}.`);
  if (!trouble || outcome.isDenied || all) return;
  const places = readLines(before.text).join("\n").split(from).length - 1;
  if (places > 1)
    yield* say(
      `The text occurs ${places} times. To change all of them say: replace all "${from}" with "${to}" in ${file}`,
    );
}

/** Writes a whole file; one that exists is read first, as the tool demands. */
export function* writeFile(view: View, file: string, content: string): Part<Outcome> {
  const input = { file_path: absolutePath(file, view.cwd), content };
  const outcome = yield* callOne("Write", input);
  if (!outcome.isError || outcome.isDenied || !/\bread\b/i.test(outcome.text) || !view.tools.has("Read"))
    return outcome;
  yield* say(`${file} exists already, so I read it before I replace it.`);
  const before = yield* callOne("Read", { file_path: input.file_path });
  return before.isError ? before : yield* callOne("Write", input);
}

function* write(view: View, { file, content }: Of<"write">): Program {
  if (!(yield* needs(view, "Write"))) return;
  const outcome = yield* writeFile(view, file, content);
  yield* say(troubleWith(outcome, `write ${file}`) ?? `${file} is written (${count(content.length, "character")}).`);
}

/** The shortest run of last lines that occurs only once: what an edit at the end can hold on to. */
const uniqueTail = (lines: readonly string[]): string | undefined => {
  const whole = lines.join("\n");
  for (let from = lines.length - 1; from >= 0; from -= 1) {
    const tail = lines.slice(from).join("\n");
    if (tail.trim() !== "" && whole.indexOf(tail) === whole.lastIndexOf(tail)) return tail;
  }
  return undefined;
};

/** Adds text at the end of a file, which is created when it is missing. */
export function* appendTo(view: View, file: string, content: string): Part<Outcome> {
  const before = yield* callOne("Read", { file_path: absolutePath(file, view.cwd) });
  if (before.isDenied) return before;
  const tail = before.isError ? undefined : uniqueTail(readLines(before.text));
  if (tail === undefined)
    return yield* callOne("Write", { file_path: absolutePath(file, view.cwd), content: `${content}\n` });
  return yield* edit(view, file, tail, `${tail}\n${content}`);
}

function* append(view: View, { file, content }: Of<"append">): Program {
  if (!(yield* needs(view, "Read", "Edit", "Write"))) return;
  const outcome = yield* appendTo(view, file, content);
  yield* say(troubleWith(outcome, `add to ${file}`) ?? `Added to the end of ${file}.`);
}

const gerund = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function* tasks(view: View, { items }: Of<"tasks">): Program {
  if (view.tools.has("TaskCreate")) {
    const outcomes = yield* callAll(
      items.map((item) => ({ name: "TaskCreate", input: { subject: gerund(item), description: item } })),
    );
    const failed = outcomes.find(({ isError }) => isError);
    return yield* say(
      failed ? `The list is not complete: ${toolMessage(failed.text)}` : `${count(items.length, "task")} on the list.`,
    );
  }
  if (!(yield* needs(view, "TodoWrite"))) return;
  const todos = items.map((item) => ({ content: gerund(item), status: "pending", activeForm: gerund(item) }));
  const outcome = yield* callOne("TodoWrite", { todos });
  yield* say(troubleWith(outcome, "write the list") ?? `${count(items.length, "task")} on the list.`);
}

function* showTasks(view: View): Program {
  if (!(yield* needs(view, "TaskList"))) return;
  const { text } = yield* callOne("TaskList", {});
  yield* say(text.trim() || "There are no tasks.");
}

function* taskStatus(view: View, { id, status }: Of<"taskStatus">): Program {
  if (!(yield* needs(view, "TaskUpdate"))) return;
  const outcome = yield* callOne("TaskUpdate", { taskId: id, status });
  yield* say(troubleWith(outcome, `change task ${id}`) ?? `Task ${id} is ${status.replace("_", " ")}.`);
}

function* ask(view: View, { question, options }: Of<"ask">): Program {
  if (!(yield* needs(view, "AskUserQuestion"))) return;
  const outcome = yield* callOne("AskUserQuestion", {
    questions: [
      {
        question: `${gerund(question)}?`,
        header: "Your choice",
        options: options.map((label) => ({ label, description: `Choose ${label}` })),
        multiSelect: false,
      },
    ],
  });
  yield* say(troubleWith(outcome, "get an answer") ?? `Thank you. Your answer: ${toolMessage(outcome.text)}`);
}

function* delegate(view: View, { task, isBackground }: Of<"delegate">): Program {
  if (!(yield* needs(view, "Agent"))) return;
  const description = task.length > 40 ? `${task.slice(0, 39)}…` : task;
  const input = { description, prompt: task, ...(isBackground && { run_in_background: true }) };
  const outcome = yield* callOne("Agent", input);
  yield* say(
    troubleWith(outcome, "have an agent do it") ?? (isBackground ? "It works." : `It reports:\n\n${reportOf(outcome)}`),
  );
}

/** An agent's report without the figures behind it. */
const reportOf = ({ text }: Outcome): string => text.split("\nagentId: ", 1)[0]?.trim() ?? "";

/** The program of a request that needs no other requests; undefined for the rest. */
export const simpleStep = (view: View, request: OfflineRequest): Program | undefined => {
  switch (request.kind) {
    case "read":
      return readFiles(view, request);
    case "list":
      return listFiles(view, request);
    case "search":
      return search(view, request);
    case "run":
      return run(view, request);
    case "replace":
      return replace(view, request);
    case "write":
      return write(view, request);
    case "append":
      return append(view, request);
    case "tasks":
      return tasks(view, request);
    case "showTasks":
      return showTasks(view);
    case "taskStatus":
      return taskStatus(view, request);
    case "ask":
      return ask(view, request);
    case "delegate":
      return delegate(view, request);
    case "say":
      return say(request.text);
    default:
      return undefined;
  }
};
