// What the model is told of tools that are sent by name only: a part of the first reminder, and a reminder when that changes.
import { reminder } from "./first-reminder.js";

/** One name a line, so that a resumed session can tell what was told. */
const lines = (names: readonly string[]): string => names.join("\n");

/** The part of the first reminder; undefined when there is none. */
export const deferredListing = (names: readonly string[]): { title: string; text: string } | undefined =>
  names.length === 0
    ? undefined
    : {
        title: "deferredTools",
        text: `More tools, by name only. Load the ones you need with ToolSearch (query "select:NAME,NAME") before you call them:\n${lines(names)}`,
      };

/** The reminder when tools have come or gone; undefined when none have. */
export const deferredNews = ({
  come,
  gone,
}: {
  come: readonly string[];
  gone: readonly string[];
}): string | undefined => {
  const parts = [
    ...(come.length > 0
      ? [`# deferredTools\nThese tools have come. Load them with ToolSearch before you call them:\n${lines(come)}`]
      : []),
    ...(gone.length > 0 ? [`These tools are gone, do not call them:\n${lines(gone)}`] : []),
  ];
  return parts.length === 0 ? undefined : reminder(parts.join("\n\n"));
};
