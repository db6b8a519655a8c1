import { test } from "vitest";
import { questions, pickers } from "./support/samples.js";
import { renderScreen } from "./support/screen.js";

for (const [columns, rows] of [[80, 24], [40, 12]] as const) {
  for (const question of questions)
    test(`${question.kind} ${columns}`, async () => {
      const screen = await renderScreen({ columns, rows, state: { questions: [question] } });
      console.log(`${screen.rows().length} rows\n${screen.text()}`);
      screen.unmount();
    });
  for (const picker of pickers)
    test(`${picker.kind} ${columns}`, async () => {
      const screen = await renderScreen({ columns, rows, state: { picker } });
      console.log(`${screen.rows().length} rows\n${screen.text()}`);
      screen.unmount();
    });
}
