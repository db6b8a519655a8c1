// The whole way from a growing answer to the terminal: what is sent, and what a person sees in the end.
import { expect, test } from "vitest";

import { createTranscriptModel } from "../../../../components/transcript/model.js";
import { createSource } from "../../../../components/transcript/source.js";
import { createEmulator } from "../terminal/emulator.js";
import { createFullWriter } from "../terminal/full-writer.js";
import { assistant, plain, prompts, theme, user } from "./fixtures.js";

const columns = 80;
const rows = 24;
const prompt = ["─".repeat(columns), "❯ ", "─".repeat(columns), "  footer"];

test("F001 200 lines of prose in small deltas: no clears, only what changed, the right picture in the end", async () => {
  const answer = assistant("a", "", false);
  const items = [user("u", "write"), answer];
  const model = createTranscriptModel(createSource({ items: () => items, theme: () => theme }));
  const sent: string[] = [];
  let time = 0;
  const writer = createFullWriter({
    write: (data, done) => {
      sent.push(data.toString());
      queueMicrotask(() => done(null, data.length));
    },
    size: () => ({ columns, rows }),
    now: () => time,
  });
  writer.setTranscript((height, width) => model.rows(height, width));
  writer.setInkRows(prompt);
  const text = Array.from({ length: 200 }, (_, index) => `Line ${index} of the answer, in ordinary words.\n`).join(
    "\n",
  );
  // A delta every 20 ms, the store flushed every 40 ms.
  for (let at = 0; at < text.length; at += 10) {
    answer.text = text.slice(0, at + 10);
    answer.v++;
    time += 40;
    writer.request(false);
    await writer.settle();
  }
  answer.done = true;
  answer.v++;
  time += 40;
  writer.request(false);
  await writer.settle();
  const bytes = sent.join("");
  expect(bytes).not.toMatch(/\u001b\[[0-9]*J|\u001bc/);
  expect(bytes.length).toBeLessThan(10 * text.length);
  expect(sent.every((frame) => frame.startsWith("\u001b[?2026h") && frame.endsWith("\u001b[?2026l"))).toBe(true);

  const emulator = createEmulator(columns, rows);
  await emulator.write(`\u001b[?1049h\u001b[?7l${bytes}`);
  const fresh = createTranscriptModel(createSource({ items: () => items, theme: () => theme }));
  expect(emulator.screen()).toEqual(
    plain([...fresh.rows(rows - prompt.length, columns), ...prompt]).map((row) => row.trimEnd()),
  );
});

test("F003 on the screen: a reader's rows are not rewritten while more arrives below", async () => {
  const items = prompts(300);
  const model = createTranscriptModel(createSource({ items: () => items, theme: () => theme }));
  const sent: string[] = [];
  const writer = createFullWriter({
    write: (data, done) => {
      sent.push(data.toString());
      queueMicrotask(() => done(null, data.length));
    },
    size: () => ({ columns, rows }),
  });
  writer.setTranscript((height, width) => model.rows(height, width));
  writer.setInkRows(prompt);
  writer.request(true);
  await writer.settle();
  model.page(-1);
  model.page(-1);
  writer.request(true);
  await writer.settle();
  const before = sent.length;
  const answer = assistant("a", "", false);
  items.push(answer);
  for (let line = 0; line < 100; line++) {
    answer.text += `line ${line}\n\n`;
    answer.v++;
    writer.request(false);
  }
  await writer.settle();
  expect([sent.length - before, model.newCount]).toEqual([0, 1]);
});
