// One renderer per kind of Display, giving terminal rows: the same ones in the transcript and in dialogs.
import { unreachable } from "../../src/lib/unreachable.js";
import type { Display } from "../../src/protocol/display.js";
import { markdownRows } from "../transcript/tail.js";
import { diffRows } from "./diff-rows.js";
import { type DisplayOptions, limitRows } from "./options.js";
import { fileLineRows, imageRows, jsonRows, pathRows, summaryRows, todoRows } from "./structured-rows.js";
import { textRows } from "./text-rows.js";

export type { DisplayOptions } from "./options.js";

/**
 * Rows of a display, each at most `width` cells with its styles closed, at most `maxRows` of them. Where something is
 * hidden the last row says how much and which key shows it.
 */
export const displayRows = (display: Display, options: DisplayOptions): string[] => {
  switch (display.kind) {
    case "text":
      if (display.summary !== undefined && !options.expanded)
        return limitRows(summaryRows(display.summary, options), options);
      return textRows(display.text, {
        ...options,
        isProse: true,
        sanitise: { keepColour: options.theme.level !== "none" },
      });
    case "lines":
      if (display.summary !== undefined && !options.expanded)
        return limitRows(summaryRows(display.summary, options), options);
      return fileLineRows(display, options);
    case "diff":
      return diffRows(display, options);
    case "paths":
      return pathRows(display, options);
    case "matches":
      return textRows(display.text, { ...options, sanitise: { tabSize: 4 } });
    case "shell":
      return textRows(display.output, {
        ...options,
        keep: display.exitCode === 0 ? "head" : "ends",
        sanitise: { keepColour: options.theme.level !== "none", carriageReturn: "overwrite" },
      });
    case "todos":
      return todoRows(display, options);
    case "markdown":
      return limitRows(markdownRows(display.text, options), options);
    case "image":
      return imageRows(display, options);
    case "agent":
      return limitRows(markdownRows(display.text, options), options);
    case "json":
      return jsonRows(display, options);
    default:
      return unreachable(display);
  }
};
