// Transcript items for tests, with sensible defaults.

import { createTheme } from "../../../../components/theme/themes.js";
import { stripStyles } from "../../../../src/lib/text-width.js";
import type { AssistantItem, ToolItem, TranscriptItem, UserItem } from "../../../../state/app-state.js";

export const theme = createTheme("dark-ansi", "16");

export const user = (id: string, text: string): UserItem => ({ kind: "user", id, v: 1, text });

export const assistant = (id: string, text: string, done = true): AssistantItem => ({
  kind: "assistant",
  id,
  v: 1,
  messageId: id,
  index: 0,
  text,
  done,
});

export const tool = (id: string, name: string, title: string, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: "tool",
  id,
  v: 1,
  callId: id,
  name,
  title,
  input: {},
  isReadOnly: true,
  state: "done",
  ...more,
});

/** `count` prompts of one row each; with the blank rows between them 2 rows a prompt, 1 for the first. */
export const prompts = (count: number): TranscriptItem[] =>
  Array.from({ length: count }, (_, index) => user(`u${index}`, `prompt ${index}`));

export const plain = (rows: readonly string[]): string[] => rows.map((row) => stripStyles(row));
