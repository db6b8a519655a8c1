// Turns the records of a branch into the events that draw the conversation again on the screen.
import type { Display } from "../protocol/display.js";
import type { EngineEvent } from "../protocol/events.js";
import { newId } from "../protocol/ids.js";
import { isInterruptMark, textOf, type Usage } from "../protocol/messages.js";
import { isBoundary } from "./branch.js";
import { type RecordBlock, recordBlocks, type TranscriptRecord } from "./record.js";
import { guessDisplay, guessTitle } from "./replay-guess.js";
import { shownText } from "./wrappers.js";

/** What the caller knows of tools; without it titles are guessed from the input. */
export type DescribeCall = (
  name: string,
  input: Record<string, unknown>,
) => { title: string; isReadOnly: boolean } | undefined;

interface Replay {
  events: EngineEvent[];
  /** Open calls: id -> name. */
  calls: Map<string, { name: string; input: Record<string, unknown> }>;
  describe: DescribeCall;
  command: string;
  /** The person's shell command whose output has not come yet. */
  shell?: { id: string; command: string };
}

/** The events, oldest first: prompts, answers, calls with results, commands, compactions. O(n). */
export const toEvents = (
  records: readonly TranscriptRecord[],
  describe: DescribeCall = () => undefined,
): EngineEvent[] => {
  const replay: Replay = { events: [], calls: new Map(), describe, command: "" };
  let messageId: string | undefined;
  let index = 0;
  for (const record of records) {
    if (record.type === "assistant") {
      index = record.message?.id !== undefined && record.message.id === messageId ? index + 1 : 0;
      messageId = record.message?.id;
      replayAnswer(record, record.blockIndex ?? index, replay);
    } else if (record.type === "user") replayUser(record, replay);
    else if (record.type === "system") replaySystem(record, replay);
  }
  return replay.events;
};

const emptyUsage: Usage = { input_tokens: 0, output_tokens: 0 };

const replayAnswer = (record: TranscriptRecord, firstIndex: number, replay: Replay): void => {
  recordBlocks(record).forEach((block, offset) => {
    if (block.type === "tool_use") {
      const name = String(block.name);
      const input = typeof block.input === "object" && block.input !== null ? { ...block.input } : {};
      const id = String(block.id);
      replay.calls.set(id, { name, input });
      const described = replay.describe(name, input) ?? { title: guessTitle(input), isReadOnly: false };
      replay.events.push({ type: "tool_call", id, name, input, ...described });
      return;
    }
    if (block.type === "text" && String(block.text ?? "").trim() === "") return;
    replay.events.push({
      type: "assistant_message",
      uuid: record.uuid ?? newId(),
      message: {
        ...record.message,
        id: record.message?.id ?? record.uuid ?? "",
        role: "assistant",
        model: record.message?.model ?? "",
        content: [block],
        stop_reason: record.message?.stop_reason ?? null,
        usage: (record.message?.usage as Usage | undefined) ?? emptyUsage,
      },
      index: firstIndex + offset,
      ...(record.isApiErrorMessage ? { error: "unknown" } : {}),
      timestamp: record.timestamp ?? "",
    });
  });
};

const replayUser = (record: TranscriptRecord, replay: Replay): void => {
  const blocks = recordBlocks(record);
  for (const block of blocks) if (block.type === "tool_result") replayResult(record, block, replay);
  if (record.isMeta === true) replayNotices(record, blocks, replay);
  if (record.isMeta === true || record.isCompactSummary === true) return;
  const texts = blocks.filter(({ type }) => type === "text");
  const images = blocks.filter(({ type }) => type === "image").length;
  if (texts.length === 0 && images === 0) return;
  const isCommand = texts.some(({ text }) => String(text).includes("<command-name>"));
  // Behind a command's tags stands what it expands to: not typed by the person.
  const text = isCommand ? String(texts[0]?.text) : texts.map((block) => String(block.text)).join("\n");
  if (record.shown === undefined && replayShell(record, text, replay)) return;
  const shown = record.shown !== undefined ? { kind: "prompt" as const, text: record.shown } : shownText(text);
  pushShown(record, shown.kind === "hidden" && images > 0 ? { kind: "prompt", text: "[Image]" } : shown, replay);
};

/** A command of the person's for the shell, and what it printed, as one call. False for every other text. */
const replayShell = (record: TranscriptRecord, text: string, replay: Replay): boolean => {
  const inside = (name: string) => new RegExp(`^[\\s\\S]*?<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1];
  const id = `shell_${record.uuid ?? newId()}`;
  const command = inside("bash-input");
  if (command !== undefined) {
    replay.shell = { id, command };
    replay.events.push({ type: "tool_call", id, name: "!", input: { command }, title: command, isReadOnly: false });
    return true;
  }
  const [output, failure = ""] = [inside("bash-stdout"), inside("bash-stderr")];
  if (output === undefined || !replay.shell) return false;
  const exitCode = failure === "" ? 0 : Number(/Exit code (\d+)/.exec(failure)?.[1] ?? Number.NaN);
  replay.events.push({
    type: "tool_result",
    uuid: record.uuid ?? newId(),
    id: replay.shell.id,
    name: "!",
    isError: failure !== "",
    content: [failure, output].filter(Boolean).join("\n"),
    display: {
      kind: "shell",
      command: replay.shell.command,
      output,
      exitCode: Number.isNaN(exitCode) ? null : exitCode,
      interrupted: failure.includes("interrupted"),
    },
    durationMs: 0,
    timestamp: record.timestamp ?? "",
  });
  replay.shell = undefined;
  return true;
};

/** Of what nobody typed, only the ends of background work are shown. */
const replayNotices = (record: TranscriptRecord, blocks: readonly RecordBlock[], replay: Replay): void => {
  const text = blocks.map((block) => String(block.text ?? "")).join("\n");
  for (const [notification] of text.matchAll(/<task-notification>[\s\S]*?<\/task-notification>/g))
    pushShown(record, shownText(notification), replay);
};

const pushShown = (record: TranscriptRecord, shown: ReturnType<typeof shownText>, replay: Replay): void => {
  if (shown.kind === "hidden") return;
  if (shown.kind === "output") {
    const { text, isError = false } = shown;
    replay.events.push({ type: "command_output", command: replay.command, text, isError });
  } else if (shown.kind === "notice") {
    replay.events.push({ type: "notice", level: "info", text: shown.text });
  } else if (isInterruptMark(shown.text)) {
    replay.events.push({ type: "notice", level: "info", text: "Interrupted" });
  } else {
    replay.command = shown.text;
    replay.events.push({
      type: "user_message",
      uuid: record.uuid ?? newId(),
      content: shown.text,
      shown: shown.text,
      isMeta: false,
      timestamp: record.timestamp ?? "",
    });
  }
};

const replayResult = (record: TranscriptRecord, block: RecordBlock, replay: Replay): void => {
  const id = String(block.tool_use_id);
  const call = replay.calls.get(id);
  if (call === undefined) return;
  replay.calls.delete(id);
  const content = (block.content ?? "") as string | RecordBlock[];
  const display: Display = record.display ?? guessDisplay(call, record.toolUseResult, textOf(content));
  replay.events.push({
    type: "tool_result",
    uuid: record.uuid ?? newId(),
    id,
    name: call.name,
    isError: block.is_error === true,
    content,
    display,
    structured: record.toolUseResult,
    durationMs: record.durationMs ?? 0,
    timestamp: record.timestamp ?? "",
  });
};

const replaySystem = (record: TranscriptRecord, replay: Replay): void => {
  if (isBoundary(record)) {
    const { trigger, preTokens = 0, postTokens = 0, durationMs = 0 } = record.compactMetadata ?? {};
    const boundary = { trigger: trigger === "auto" ? "auto" : "manual", preTokens, postTokens, durationMs } as const;
    replay.events.push({ type: "compact_boundary", ...boundary, summary: "" });
  } else if (record.subtype === "local_command" && typeof record.content === "string") {
    pushShown(record, shownText(record.content), replay);
  } else if (record.subtype === "notice" && typeof record.content === "string") {
    const level = record.level === "error" || record.level === "warning" ? record.level : "info";
    replay.events.push({ type: "notice", level, text: record.content });
  }
};
