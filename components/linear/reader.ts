// Tells what is new in the transcript, line by line, each exactly once.
import type { AssistantItem, ToolItem, TranscriptItem } from "../../state/app-state.js";
import { callLine, oneLine, plainLines, resultLines } from "./wording.js";

export interface Reader {
  /** The lines that came since the last time. */
  news(items: readonly TranscriptItem[]): string[];
}

/** What was said of an item: how much of its text, or how far a call has come. */
interface Told {
  length: number;
  isStarted: boolean;
  isDone: boolean;
}

/** `isOwn`: the person typed this text here and has it on the screen already. */
export const createReader = (isOwn: (text: string) => boolean): Reader => {
  let list: readonly TranscriptItem[] | null = null;
  let first = 0;
  let told = new Map<string, Told>();

  const answerNews = (item: AssistantItem, state: Told): string[] => {
    const end = item.done ? item.text.length : item.text.lastIndexOf("\n") + 1;
    if (end <= state.length) {
      state.isDone = item.done;
      return [];
    }
    const lines = plainLines(item.text.slice(state.length, end)).filter((line, at) => line !== "" || at > 0);
    state.length = end;
    state.isDone = item.done;
    if (lines.every((line) => line.trim() === "")) return [];
    const isFirst = !state.isStarted;
    state.isStarted = true;
    return isFirst ? [`Answer: ${lines[0] ?? ""}`, ...lines.slice(1)] : lines;
  };
  const callNews = (item: ToolItem, state: Told): string[] => {
    const lines: string[] = [];
    if (!state.isStarted) lines.push(callLine(item));
    state.isStarted = true;
    if (item.state === "done" || item.state === "error") {
      lines.push(...resultLines(item));
      state.isDone = true;
    }
    return lines;
  };
  const onceNews = (item: Exclude<TranscriptItem, AssistantItem | ToolItem>): string[] => {
    switch (item.kind) {
      case "user":
        return isOwn(item.text) ? [] : [`You: ${plainLines(item.text).join("\n")}`];
      case "thinking":
        return ["Thinking."];
      case "notice": {
        const name = item.level === "info" ? "Note" : item.level === "warning" ? "Warning" : "Error";
        return [`${name}: ${plainLines(item.text).join("\n")}`];
      }
      case "command":
        return [...(item.isError ? ["Error:"] : []), ...plainLines(item.text)];
      case "banner":
        return [`claude ${oneLine(item.version)}, folder ${oneLine(item.cwd)}, model ${oneLine(item.model)}`];
      case "boundary":
        return [oneLine(item.text)];
    }
  };
  const newsOf = (item: TranscriptItem, state: Told): string[] => {
    if (item.kind === "assistant") return answerNews(item, state);
    if (item.kind === "tool") return callNews(item, state);
    // The banner knows its model once the session is open.
    if (item.kind === "banner" && item.model === "") return [];
    state.isDone = true;
    return onceNews(item);
  };
  return {
    news: (items) => {
      if (items !== list) {
        list = items;
        first = 0;
        told = new Map();
      }
      const lines: string[] = [];
      let isSettled = true;
      for (let index = first; index < items.length; index++) {
        const item = items[index] as TranscriptItem;
        const state = told.get(item.id) ?? { length: 0, isStarted: false, isDone: false };
        if (!state.isDone) lines.push(...newsOf(item, state));
        told.set(item.id, state);
        isSettled &&= state.isDone;
        // What is told for good at the front need not be looked at again.
        if (isSettled) {
          first = index + 1;
          told.delete(item.id);
        }
      }
      return lines;
    },
  };
};
