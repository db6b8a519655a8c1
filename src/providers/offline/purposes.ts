// Answers of the offline model to requests that are not a conversation: summaries, titles, verdicts, recall, hooks.
import { blocksOf, type Message, type ToolUseBlock } from "../../protocol/messages.js";
import type { ModelRequest } from "../provider.js";
import { humanText } from "./timeline.js";
import { verdictAnswer } from "./verdict.js";

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const callsOf = (messages: readonly Message[]): ToolUseBlock[] =>
  messages.flatMap(({ content }) =>
    blocksOf(content).filter((block): block is ToolUseBlock => block.type === "tool_use"),
  );

const list = (title: string, items: readonly string[]): string[] =>
  items.length > 0 ? [`## ${title}`, ...[...new Set(items)].map((item) => `- ${item}`), ""] : [];

/** What the messages plainly show: requests, files and commands. The last message is the request for the summary. */
const summary = (messages: readonly Message[]): string => {
  const before = messages.slice(0, -1);
  const calls = callsOf(before);
  const inputs = (names: readonly string[], field: string): string[] =>
    calls
      .filter(({ name }) => names.includes(name))
      .flatMap(({ input }) => (typeof input[field] === "string" ? [oneLine(input[field])] : []));
  return [
    "Collected by the offline model (scripted, no AI): what was asked and done, without judgement.",
    "",
    ...list(
      "Request",
      before
        .map(humanText)
        .filter(Boolean)
        .map((text) => cut(oneLine(text), 300)),
    ),
    ...list("Files read", inputs(["Read"], "file_path")),
    ...list("Files changed", inputs(["Write", "Edit"], "file_path")),
    ...list(
      "Commands",
      inputs(["Bash"], "command").map((command) => cut(command, 200)),
    ),
  ]
    .join("\n")
    .trim();
};

const title = (messages: readonly Message[]): string => {
  const text = messages.map(humanText).find((found) => found !== "") ?? "";
  const words = oneLine(text)
    .replace(/[^\p{L}\p{N}\s./_-]/gu, "")
    .split(" ")
    .filter(Boolean);
  return cut(words.slice(0, 6).join(" "), 60) || "Offline session";
};

/** Names from "- name: description" lines that share a word with the rest of the last message, as a JSON list of at most 5. */
const recall = (messages: readonly Message[]): string => {
  const text = messages.map(humanText).join("\n");
  const rows = [...text.matchAll(/^\s*[-*]\s+`?([^\s:`]+)`?:\s*(.+)$/gm)];
  const rest = new Set(
    (
      text
        .replace(/^\s*[-*]\s+.*$/gm, "")
        .toLowerCase()
        .match(/\p{L}{4,}/gu) ?? []
    ).values(),
  );
  const fits = rows.filter(([, name = "", description = ""]) =>
    (`${name} ${description}`.toLowerCase().match(/\p{L}{4,}/gu) ?? []).some((word) => rest.has(word)),
  );
  return JSON.stringify(fits.slice(0, 5).map(([, name]) => name));
};

/** The text for a request with a special purpose, undefined for conversations. */
export const purposeAnswer = ({ purpose, messages }: ModelRequest): string | undefined => {
  switch (purpose) {
    case "compact":
    case "summary":
      return summary(messages);
    case "title":
      return title(messages);
    case "classifier":
      return verdictAnswer(messages);
    case "recall":
      return recall(messages);
    case "hook":
      return JSON.stringify({ ok: true, reason: "The offline model approves every hook prompt." });
    case "main":
    case "agent":
    case "side":
      return undefined;
  }
};
