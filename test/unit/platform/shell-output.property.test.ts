// Head and tail of a command's output over random chunks and limits.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createShellOutput } from "../../../src/platform/shell/shell-output.js";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "output-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const chunk = fc.stringMatching(/^[a-z\n]{0,30}$/);

it("short output is whole, long output is its two ends and a count, the file has all up to its limit", () => {
  let count = 0;
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 30 }),
      fc.integer({ min: 2, max: 200 }),
      fc.nat({ max: 300 }),
      (chunks, keepBytes, maxFileBytes) => {
        const outputPath = join(dir, `o${count++}`);
        const output = createShellOutput({ outputPath, keepBytes, maxFileBytes });
        const reused = Buffer.alloc(64);
        for (const text of chunks) output.add(reused.subarray(0, reused.write(text)));
        output.close();
        const whole = chunks.join("");
        const half = Math.floor(keepBytes / 2);
        expect(output.totalBytes).toBe(whole.length);
        expect(output.storedBytes).toBe(Math.min(whole.length, maxFileBytes));
        if (whole !== "") expect(readFileSync(outputPath, "utf8")).toBe(whole.slice(0, maxFileBytes));
        if (whole.length <= half * 2) expect(output.text()).toBe(whole);
        else {
          const [start, end] = output.text().split(/\n\[… \d+ bytes left out here …\]\n/);
          expect(output.text()).toContain(`[… ${whole.length - half * 2} bytes left out here …]`);
          expect(whole.slice(0, half).startsWith(start!)).toBe(true);
          expect(whole.slice(-half).endsWith(end!)).toBe(true);
        }
      },
    ),
    { seed: 20261130, numRuns: 500 },
  );
});

it("the newest lines are those of the end, of a progress bar its last state", () => {
  const output = createShellOutput({ outputPath: join(dir, "lines"), keepBytes: 64, maxFileBytes: 0 });
  for (let index = 1; index <= 40; index++) output.add(Buffer.from(`line ${index}\n`));
  output.add(Buffer.from("10 %\r50 %\r100 %"));
  expect(output.lastLines(3)).toEqual(["line 39", "line 40", "100 %"]);
});

it("a character cut in two at the edge does not show as damage", () => {
  const output = createShellOutput({ outputPath: join(dir, "chars"), keepBytes: 10, maxFileBytes: 1000 });
  output.add(Buffer.from("ééééééééé"));
  expect(output.text()).toBe("éé\n[… 8 bytes left out here …]\néé");
});
