// Pickers and pages in plain lines; where something is chosen, by its number.
import type { Picker } from "../../src/protocol/pickers.js";
import type { Actions } from "../../state/actions.js";
import { oneLine } from "./wording.js";

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

/** A picker as lines. */
export const pageLines = (picker: Picker, actions: Actions): PageLines => {
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
    case "page":
      return {
        lines: [
          oneLine(picker.title),
          ...picker.rows.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
        ],
      };
    default:
      // Pickers that have no words of their own yet are shown as their data.
      return { lines: JSON.stringify(picker, null, 1).split("\n").map(oneLine) };
  }
};
