// Every dialog and picker as one frame of text, at the smallest comfortable and at a tiny size.
import { describe, expect, test } from "vitest";
import { pickers, questions } from "./support/samples.js";
import { renderScreen } from "./support/screen.js";

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
] as const;

describe.each(sizes)("at $columns x $rows", ({ columns, rows }) => {
  test.each(questions.map((question) => ({ name: `${question.kind}-${question.id}`, question })))(
    "the question $name fits and looks as recorded",
    async ({ name, question }) => {
      const screen = await renderScreen({ columns, rows, state: { questions: [question] } });
      const frame = screen.rows();
      screen.unmount();
      expect(frame.length).toBeLessThanOrEqual(rows - 3);
      expect(frame.at(-1)).toMatch(/^╰.*╯$/);
      await expect(`${frame.join("\n")}\n`).toMatchFileSnapshot(`../../screens/ui/${name}-${columns}x${rows}.txt`);
    },
  );

  test.each(pickers.map((picker) => ({ name: picker.kind, picker })))(
    "the picker $name fits and looks as recorded",
    async ({ name, picker }) => {
      const screen = await renderScreen({ columns, rows, state: { picker } });
      const frame = screen.rows();
      screen.unmount();
      expect(frame.length).toBeLessThanOrEqual(rows - 3);
      expect(frame.at(-1)).toMatch(/^╰.*╯$/);
      await expect(`${frame.join("\n")}\n`).toMatchFileSnapshot(`../../screens/ui/${name}-${columns}x${rows}.txt`);
    },
  );
});
