// Messages of a conversation, in the shape of the Messages API: the one form in memory, on disk and on the wire.

export type TextBlock = { type: "text"; text: string };
export type ThinkingBlock = { type: "thinking"; thinking: string; signature?: string };
export type RedactedThinkingBlock = { type: "redacted_thinking"; data: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };
export type ImageBlock = {
  type: "image";
  source: { type: "base64"; media_type: string; data: string } | { type: "url"; url: string };
};
export type DocumentBlock = {
  type: "document";
  source: { type: "base64"; media_type: string; data: string };
  title?: string;
};
export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content?: string | ResultContent[];
  is_error?: boolean;
};
/** Stands for the definition of a tool that ToolSearch loaded: the API puts it there. */
export type ToolReferenceBlock = { type: "tool_reference"; tool_name: string };
export type ResultContent = TextBlock | ImageBlock | DocumentBlock | ToolReferenceBlock;
/** Blocks of other kinds (server tools, fallback marks …) travel as they came. */
export type OtherBlock = { type: string; [key: string]: unknown };
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock;

export type Message = { role: "user" | "assistant"; content: string | ContentBlock[] };

export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number } | null;
};

export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded"
  | null;

/** The API's message envelope around an assistant's blocks. */
export type AssistantMessage = {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ContentBlock[];
  stop_reason: StopReason;
  stop_sequence: string | null;
  usage: Usage;
};

/** Marks that an interrupted run leaves in the conversation; to the letter, old transcripts have them too. */
export const interruptMarks = {
  streaming: "[Request interrupted by user]",
  tools: "[Request interrupted by user for tool use]",
} as const;

/** Whether a user message's text is such a mark. */
export const isInterruptMark = (text: string): boolean =>
  text === interruptMarks.streaming || text === interruptMarks.tools;

/** Content as a list of blocks, whatever form it came in. */
export const blocksOf = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** All text of a content, blocks joined by newlines. */
export const textOf = (content: string | readonly { type: string }[] | undefined): string => {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content
    .filter((block): block is TextBlock => block.type === "text")
    .map(({ text }) => text)
    .join("\n");
};
