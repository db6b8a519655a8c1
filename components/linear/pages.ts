// Pickers and pages in plain lines; where something is chosen, by its number.
import { sanitise } from "../../src/lib/sanitise.js";
import type { Picker, TaskRow } from "../../src/protocol/pickers.js";
import type { Actions } from "../../state/actions.js";
import { oneLine, plainLines } from "./wording.js";

export interface PageLines {
  lines: string[];
  /** What a number chooses; absent on pages that are only read. */
  choose?: { count: number; pick: (at: number) => void };
}

const themes = ["auto", "dark", "light", "dark-daltonized", "light-daltonized", "dark-ansi", "light-ansi"];

/** Sessions read out at most: /resume TITLE finds older ones. */
const readableRows = 50;

const listed = (labels: readonly string[], pick: (at: number) => void): PageLines => ({
  lines: [
    ...labels.map((label, at) => `${at + 1}. ${label}`),
    labels.length === 0 ? "There is nothing to choose." : "Type a number and press Enter; Enter alone goes on.",
  ],
  ...(labels.length === 0 ? {} : { choose: { count: labels.length, pick } }),
});

/** Lines of a task's output that are told; the file has the rest. */
const maxOutputLines = 40;

const taskLines = (tasks: readonly TaskRow[], actions: Actions): PageLines => {
  const shown = tasks.toReversed();
  return listed(
    shown.map(({ title, status }) => `${oneLine(title)}, ${status}`),
    (at) => actions.showTask(shown[at]!.id),
  );
};

/** What fills the window; a number leaves that thing out of it, or brings a folded one back. */
const contextLines = (picker: Extract<Picker, { kind: "context" }>, actions: Actions): PageLines => {
  const items = picker.items.slice(0, readableRows);
  const { lines, choose } = listed(
    items.map(
      ({ label, tokens, note, isDropped }) =>
        `${oneLine(label)}, ${tokens} tokens, ${oneLine(note)}${isDropped ? ", left out" : ""}`,
    ),
    (at) => actions.dropContext(items[at]!.ids),
  );
  const compaction = picker.compactAt === null ? "" : ` Compacted by itself at ${picker.compactAt}.`;
  return {
    lines: [
      `Context of ${oneLine(picker.model)}: ${picker.usedTokens} of ${picker.window} tokens used.${compaction}`,
      ...picker.categories.map(({ label, tokens }) => `${oneLine(label)}: ${tokens}`),
      ...(items.length > 0 ? ["A number leaves one of these out of the context:"] : []),
      ...lines,
    ],
    ...(choose ? { choose } : {}),
  };
};

/** Anything as lines of names and values, one fact a line, in words that can be read out. */
const valueLines = (value: unknown, name: string): string[] => {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.flatMap((one, at) => valueLines(one, `${name} ${at + 1}`.trim()));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, one]) => valueLines(one, `${name} ${spoken(key)}`.trim()));
  return [`${name}: ${typeof value === "boolean" ? (value ? "yes" : "no") : oneLine(String(value))}`];
};

/** A list whose rows are commands. */
const chosenLines = ({ title, rows, empty }: Extract<Picker, { kind: "list" }>, actions: Actions): PageLines => {
  if (rows.length === 0) return { lines: [oneLine(title), oneLine(empty)] };
  const { lines, choose } = listed(
    rows.map(
      ({ label, detail, isCurrent }) =>
        `${oneLine(label)}${detail ? `, ${oneLine(detail)}` : ""}${isCurrent ? ", in use" : ""}`,
    ),
    (at) => {
      const { command } = rows[at]!;
      if (command !== undefined) actions.runCommand(command);
    },
  );
  return { lines: [oneLine(title), ...lines], ...(choose ? { choose } : {}) };
};

/** The open tab of the settings. */
const settingsLines = ({ tab, status, settings, usage }: Extract<Picker, { kind: "settings" }>): PageLines => {
  if (tab !== "config")
    return {
      lines: (tab === "status" ? status : usage).map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
    };
  return {
    lines: [
      ...settings.map(({ key, value, from }) => `${key}: ${oneLine(value)}, from ${oneLine(from)}`),
      "Type /config name=value to change one.",
    ],
  };
};

/** `isDropped` as "is dropped". */
const spoken = (key: string): string => key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Points to go back to. Files that somebody else changed stay; a rewind can itself be taken back. */
const rewindLines = ({ points, cleared }: Extract<Picker, { kind: "rewind" }>, actions: Actions): PageLines => {
  const choices = [
    ...(cleared
      ? [
          {
            label: `back to the conversation before /clear: ${oneLine(cleared.title)}`,
            go: () => actions.resume(cleared.sessionId),
          },
        ]
      : []),
    ...points.toReversed().map(({ id, kind, text, hasCode, hasConversation, files }) => ({
      label: `${kind === "undo" ? "undo" : "before"}: ${oneLine(text)}${hasCode ? `, with files (${files} changed there)` : ""}`,
      go: () => actions.rewind(id, hasCode ? (hasConversation ? "both" : "code") : "conversation"),
    })),
  ];
  return listed(
    choices.map(({ label }) => label),
    (at) => choices[at]!.go(),
  );
};

/** A picker as lines. `tasks`: what runs in the background. */
export const pageLines = (picker: Picker, actions: Actions, tasks: readonly TaskRow[] = []): PageLines => {
  const page = rawPage(picker, actions, tasks);
  // Whatever a kind forgets: nothing from outside reaches the terminal raw.
  return { ...page, lines: page.lines.map((line) => sanitise(line)) };
};

const rawPage = (picker: Picker, actions: Actions, tasks: readonly TaskRow[]): PageLines => {
  switch (picker.kind) {
    case "help":
      return {
        lines: [
          "Type a request and press Enter. Control C stops the work; twice it leaves. Control D leaves.",
          "Commands:",
          ...picker.commands.map(({ name, description }) => `/${oneLine(name)}: ${oneLine(description)}`),
        ],
      };
    case "model":
      return listed(
        picker.models.map(
          ({ label, description, current }) => `${oneLine(label)}, ${oneLine(description)}${current ? ", in use" : ""}`,
        ),
        (at) => actions.setModel(picker.models[at]!.value, true),
      );
    case "sessions": {
      const sessions = picker.sessions.filter(({ problem }) => problem === undefined).slice(0, readableRows);
      return listed(
        sessions.map(({ title, branch }) => `${oneLine(title)}${branch ? `, branch ${oneLine(branch)}` : ""}`),
        (at) => actions.resume(sessions[at]!.sessionId),
      );
    }
    case "rewind":
      return rewindLines(picker, actions);
    case "theme":
      return listed(themes, (at) => actions.saveSettings({ theme: themes[at] }));
    case "hooks":
      return {
        lines: [
          ...(picker.note === undefined ? [] : [oneLine(picker.note)]),
          ...picker.events.flatMap(({ name, matchers }) =>
            matchers.flatMap(({ matcher, handlers }) =>
              handlers.map(({ text, source }) => `${name} ${oneLine(matcher)}: ${oneLine(text)}, from ${source}`),
            ),
          ),
        ],
      };
    case "permissions":
      return {
        lines: [
          `Mode: ${picker.mode}`,
          ...picker.rules.map(({ behavior, rule, source }) => `${behavior}: ${oneLine(rule)}, from ${source}`),
          ...picker.directories.map(({ path, source }) => `folder ${oneLine(path)}, from ${oneLine(source)}`),
          ...picker.denied.map(({ tool, title }) => `denied lately: ${oneLine(tool)} ${oneLine(title)}`),
        ],
      };
    case "memory":
      return {
        lines: picker.files.map(
          ({ path, label, exists }) => `${oneLine(label)}: ${oneLine(path)}${exists ? "" : ", not there yet"}`,
        ),
      };
    case "mcp":
      return {
        lines: [
          ...picker.servers.map(
            ({ name, scope, state, error }) =>
              `${oneLine(name)}, ${scope}, ${state}${error ? `: ${oneLine(error)}` : ""}`,
          ),
          ...picker.problems.map(oneLine),
        ],
      };
    case "list":
      return chosenLines(picker, actions);
    case "settings":
      return settingsLines(picker);
    case "page":
      return {
        lines: [
          oneLine(picker.title),
          ...picker.rows.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
        ],
      };
    case "tasks":
      return taskLines(tasks, actions);
    case "task_output":
      return {
        lines: [
          `${oneLine(picker.task.title)}, ${picker.task.status}.`,
          ...plainLines(picker.text).slice(-maxOutputLines),
          `Its output is in ${oneLine(picker.outputPath)}`,
        ],
      };
    case "context":
      return contextLines(picker, actions);
    default: {
      // Pickers that have no words of their own yet are told as names and values.
      const { kind, ...rest } = picker as { kind: string };
      return { lines: [kind.replaceAll("_", " "), ...valueLines(rest, "")] };
    }
  }
};
