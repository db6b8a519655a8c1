// The documented patterns of the offline model: one row each, used for parsing, for /help-like answers and for the README.
import { type Protected, requote, reveal, revealWord } from "./quoting.js";
import type { OfflineRequest } from "./requests.js";

export interface OfflinePattern {
  usage: string;
  example: string;
  does: string;
  /** Reads one protected step; undefined: not this pattern. */
  match(step: string, source: Protected): OfflineRequest | undefined;
  /** The pattern takes the whole prompt, which is then not split into steps. */
  takesAll?: boolean;
}

const word = "(\\u0001\\d+\\u0001|[^\\s\\u0001]+)"; // one word, or one quoted part
const some = "(.+?)"; // any words
const pattern = (source: string): RegExp =>
  new RegExp(`^${source.replaceAll("WORD", word).replaceAll("SOME", some).replaceAll(" ", "\\s+")}[.!?]*$`, "is");

const here = /^(?:here|this|(?:this|the|the current|my|current|working)\s+(?:folder|directory|project))$/i;
const folderOf = (piece: string | undefined, source: Protected): string | undefined =>
  piece === undefined || here.test(piece.trim()) ? undefined : revealWord(piece, source);

const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const splitList = (text: string): string[] =>
  text
    .split(/\s*[,;\n]\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+/i)
    .map((item) => item.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim())
    .filter(Boolean);

const help = pattern(
  "(?:help(?: me)?|\\?|(?:hi|hello|hey)(?: there)?|(?:what can you do|what do you (?:understand|know)|who are you|how does this work)(?: .*)?)",
);
const tour = pattern(
  "(?:(?:start|take|begin|do|give|show|run)(?: me)?(?: the| a)?(?: guided| offline)? tour|(?:guided |offline )?tour|show me around|take me around)(?: .*)?",
);
const linesOf = pattern(
  "(?:read|show|print|display)(?: me)?(?: the)? (?:lines? (\\d+)(?:(?:\\s*-\\s*| to )(\\d+))?|first (\\d+) lines) of WORD",
);
const readFiles = pattern(
  "(?:read|open|show|print|display|view|cat|look at)(?: me)?(?: the)?(?: contents? of)?(?: the)?(?: files?)? (.+)",
);
const listFiles = pattern(
  "(?:list|show|find|which|what|see|look for)(?: me)?(?: (all))?(?: the)? files?(?: are| is)?(?: there)?(?: here)?(?: in (WORD|(?:this|the|my)(?: current)? (?:folder|directory|project)))?(?: (?:matching|named|called|like) WORD)?(?: in (WORD|(?:this|the)(?: current)? (?:folder|directory|project)))?",
);
const listFolder = pattern(
  "(?:ls|list|look around(?: in)?)(?: (WORD|(?:this|the)(?: current)? (?:folder|directory|project)))?",
);
const search = pattern(
  "(?:search|grep|look|find|where)(?: (?:for|is|are))?(?: the (?:word|text|words))? SOME(?: (?:in|inside|under|within) (WORD|(?:this|the)(?: current)? (?:folder|directory|project)))?",
);
const run = pattern("(?:run|execute|\\$|!)(?: the)?(?: command)?:? (.+)");
const commandAlone = /^\u0001\d+\u0001$/;
const replace = pattern(
  "(?:replace|change|swap|rename)( all| every)? SOME (?:with|by|to|into|for|->|=>) SOME in (?:all of )?(?:the )?(?:file )?WORD( everywhere)?",
);
const inFileReplace = pattern(
  "in (?:the )?(?:file )?WORD,? (?:replace|change|rename)( all| every)? SOME (?:with|by|to|into) SOME( everywhere)?",
);
const create = pattern(
  "(?:create|write|make|save)(?: an?)?(?: new)?(?: file)?(?: called| named)? WORD,? (?:with|containing|saying|that says)(?: the)?(?: contents?| text| line)?:? (.+)",
);
const createEmpty = pattern("(?:create|make|touch)(?: an?)?(?: new)?(?: empty)?(?: file)?(?: called| named)? WORD");
const writeInto = pattern("(?:write|put|save) SOME (?:to|into|in) (?:the )?(?:new )?(?:file )?WORD");
const append = pattern(
  "(?:append|add)(?: (?:the|a) (?:line|text))?:? SOME (?:to|at) (?:the )?(?:end of )?(?:the )?(?:file )?WORD",
);
const plan = pattern("(?:(?:make|write|draft|prepare) )?(?:me )?(?:a |the )?plan(?: to| how to| for|:)? (.+)");
const planAlone = pattern("(?:(?:make|write|draft) )?(?:me )?(?:a )?plan");
const tasks = pattern(
  "(?:(?:make|create|write|start|keep)(?: me)? )?(?:an? )?(?:task|todo|to-do)s?(?: list)?(?: with| of| for)?:? (.+)",
);
const showTasks = pattern("(?:show|list|what are)(?: me)?(?: the| my| all)? (?:task|todo)s?(?: list)?");
const taskStatus = pattern(
  "(?:mark|set|complete|finish|close|start|tick off) task #?(\\d+)(?: (?:as )?(done|complete|completed|finished|in progress|started|pending|open))?",
);
const ask = pattern("ask me(?: (.+))?");
const delegate = pattern("(?:ask|let|have)(?: an?)?(?: background)? agents?(?: to)? (.+?)( in the background)?");
const sayText = pattern("say:? (.+)");
const carryOut =
  /^[^\n]*\b(?:implement|execute|carry out|follow|work (?:through|from|on))\b[^\n]*\bplan\b|^\s*#+ plan\b|\bthis plan was approved\b/i;
const continued = /^this continues an earlier conversation/i;

/** Numbered items of a text: the steps of a plan. */
export const numberedItems = (text: string): string[] =>
  [...text.matchAll(/^\s*\d+[.)]\s+(.+)$/gm)].map(([, item = ""]) => item.trim());

const readRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const lines = linesOf.exec(step);
  if (lines) {
    const [, from, to, first, file = ""] = lines;
    const offset = from ? Number(from) : 1;
    const limit = first ? Number(first) : to ? Number(to) - offset + 1 : 1;
    return { kind: "read", files: [revealWord(file, source)], offset, limit: Math.max(1, limit) };
  }
  const names = readFiles.exec(step)?.[1];
  if (!names) return undefined;
  const files = names.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i);
  if (files.some((file) => /\s/.test(file.trim()) || file.trim() === "")) return undefined;
  return { kind: "read", files: files.map((file) => revealWord(file, source)) };
};

const listRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const files = listFiles.exec(step);
  if (files) {
    const [, all, before, , glob, , after] = files.map((group) => group || undefined);
    const folder = folderOf(before ?? after, source);
    return { kind: "list", folder, glob: glob ? revealWord(glob, source) : all ? "**/*" : "*" };
  }
  const folder = listFolder.exec(step);
  return folder ? { kind: "list", folder: folderOf(folder[1], source), glob: "*" } : undefined;
};

const searchRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const found = search.exec(step);
  if (!found?.[1]) return undefined;
  const shown = reveal(found[1], source);
  const isRegex = /^\/.+\/$/.test(shown);
  const literal = shown.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return { kind: "search", pattern: isRegex ? shown.slice(1, -1) : literal, shown, path: folderOf(found[2], source) };
};

const replaceRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const plain = replace.exec(step);
  const inFile = plain ? undefined : inFileReplace.exec(step);
  const [all, from, to, file, everywhere] = plain
    ? plain.slice(1)
    : inFile
      ? [inFile[2], inFile[3], inFile[4], inFile[1], inFile[5]]
      : [];
  if (from === undefined || to === undefined || file === undefined) return undefined;
  return {
    kind: "replace",
    from: reveal(from, source),
    to: reveal(to, source),
    file: revealWord(file, source),
    all: Boolean(all || everywhere),
  };
};

const writeRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const made = create.exec(step);
  if (made?.[1] && made[2]) {
    return { kind: "write", file: revealWord(made[1], source), content: withNewline(reveal(made[2], source)) };
  }
  const put = writeInto.exec(step);
  if (put?.[1] && put[2]) {
    return { kind: "write", file: revealWord(put[2], source), content: withNewline(reveal(put[1], source)) };
  }
  const empty = createEmpty.exec(step)?.[1];
  return empty ? { kind: "write", file: revealWord(empty, source), content: "" } : undefined;
};

const askRequest = (step: string, source: Protected): OfflineRequest | undefined => {
  const found = ask.exec(step);
  if (!found) return undefined;
  const [head = "", list] = (found[1] ?? "").split(/\s*:\s*/, 2);
  const options = list
    ? splitList(list)
        .map((item) => revealWord(item, source))
        .slice(0, 4)
    : [];
  const question = reveal(head.replace(/^(?:a question|something|anything)$/i, ""), source).replace(/[?.]+$/, "");
  if (options.length < 2)
    return {
      kind: "ask",
      question: question || "What would you like to do next",
      options: ["Take the tour", "See what I understand"],
    };
  return { kind: "ask", question: question || "Which one", options };
};

const statusWords: Record<string, "pending" | "in_progress" | "completed"> = {
  "in progress": "in_progress",
  started: "in_progress",
  pending: "pending",
  open: "pending",
};

const taskStatusRequest = (step: string): OfflineRequest | undefined => {
  const found = taskStatus.exec(step);
  if (!found?.[1]) return undefined;
  const named = found[2]?.toLowerCase() ?? (/^start/i.test(step) ? "started" : "done");
  return { kind: "taskStatus", id: found[1], status: statusWords[named] ?? "completed" };
};

/** Every pattern, in the order in which they are tried. */
export const offlinePatterns: readonly OfflinePattern[] = [
  {
    usage: "help",
    example: "what can you do?",
    does: "says what the offline model understands",
    match: (step) => (help.test(step) ? { kind: "help" } : undefined),
    takesAll: true,
  },
  {
    usage: "tour",
    example: "start the tour",
    does: "the guided tour: read, edit with permission, run commands, also in the background, two agents, approve a plan",
    match: (step) => (tour.test(step) ? { kind: "tour" } : undefined),
    takesAll: true,
  },
  {
    usage: "carry out the plan: …",
    example: "",
    does: "does the numbered steps of a plan, one after the other",
    match: (step, source) =>
      carryOut.test(step) && numberedItems(step).length > 0
        ? { kind: "carryOut", steps: numberedItems(requote(step, source)) }
        : undefined,
    takesAll: true,
  },
  {
    usage: "plan STEPS",
    example: 'plan to replace "a" with "b" in notes.txt',
    does: "writes a plan, asks for approval, then carries it out",
    match: (step, source) => {
      const goal = plan.exec(step)?.[1];
      if (goal) return { kind: "plan", goal: requote(goal, source), steps: [] };
      return planAlone.test(step) ? { kind: "plan", goal: "", steps: [] } : undefined;
    },
    takesAll: true,
  },
  {
    usage: "task list: A, B, C",
    example: "make a task list: read the code, fix the bug, run the tests",
    does: "puts tasks on the task list (also: show tasks, mark task 1 done)",
    match: (step, source) => {
      if (showTasks.test(step)) return { kind: "showTasks" };
      const items = taskStatusRequest(step) ? undefined : tasks.exec(step)?.[1];
      return items ? { kind: "tasks", items: splitList(items).map((item) => revealWord(item, source)) } : undefined;
    },
    takesAll: true,
  },
  {
    usage: "ask me QUESTION: A, B or C",
    example: "ask me which colour: red, green or blue",
    does: "asks you to choose",
    match: askRequest,
    takesAll: true,
  },
  {
    usage: "ask an agent to REQUEST [in the background]",
    example: "ask an agent to list files in src",
    does: "gives the request to a subagent and says what it reports",
    match: (step, source) => {
      const found = delegate.exec(step);
      const task = found?.[1];
      return task ? { kind: "delegate", task: requote(task, source), isBackground: found[2] !== undefined } : undefined;
    },
    takesAll: true,
  },
  {
    usage: "(a summary of an earlier conversation)",
    example: "",
    does: "goes on after a compaction",
    match: (step) => (continued.test(step) ? { kind: "continued" } : undefined),
    takesAll: true,
  },
  {
    usage: "mark task N done",
    example: "mark task 2 in progress",
    does: "sets the state of a task",
    match: taskStatusRequest,
  },
  {
    usage: "list files [in FOLDER] [matching GLOB]",
    example: "list files in src matching **/*.ts",
    does: "lists files",
    match: listRequest,
  },
  {
    usage: 'replace "A" with "B" in FILE',
    example: 'replace all "1" with "2" in a.js',
    does: "reads the file, then edits it",
    match: replaceRequest,
  },
  {
    usage: "append TEXT to FILE",
    example: 'append "one more line" to notes.txt',
    does: "adds text at the end of a file",
    match: (step, source) => {
      const found = append.exec(step);
      return found?.[1] && found[2]
        ? { kind: "append", file: revealWord(found[2], source), content: reveal(found[1], source) }
        : undefined;
    },
  },
  {
    usage: "create FILE with TEXT",
    example: 'create notes.txt with "hello"',
    does: "writes a file",
    match: writeRequest,
  },
  {
    usage: "read FILE [and FILE …]",
    example: "read lines 10-20 of src/main.ts",
    does: "reads files",
    match: readRequest,
  },
  {
    usage: "run COMMAND",
    example: "run `npm test`",
    does: "runs a shell command (backticks keep it in one piece)",
    match: (step, source) => {
      const command = commandAlone.test(step) ? step : run.exec(step)?.[1];
      return command ? { kind: "run", command: reveal(command, source) } : undefined;
    },
  },
  {
    usage: 'search for "TEXT" [in PATH]',
    example: 'search for "port" in src',
    does: "searches file contents",
    match: searchRequest,
  },
  {
    usage: "say TEXT",
    example: 'say "done"',
    does: "says it",
    match: (step, source) => {
      const text = sayText.exec(step)?.[1];
      return text ? { kind: "say", text: reveal(text, source) } : undefined;
    },
  },
];
