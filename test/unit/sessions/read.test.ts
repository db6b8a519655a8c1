import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTranscript, readTranscript } from "../../../src/sessions/read.js";
import { tempDir } from "../../helpers/transcript-kit.js";

const line = (uuid: string, more: object = {}) => JSON.stringify({ type: "user", uuid, ...more });

test("F062 a line cut inside a UTF-8 character and 4 KB of NUL bytes cost nothing but themselves", () => {
  const file = join(tempDir(), "a.jsonl");
  const whole = Buffer.from(`${line("1")}\n${line("2")}\n${line("3", { text: "Grüße" })}`);
  writeFileSync(file, whole.subarray(0, whole.indexOf(Buffer.from("ü")) + 1));
  appendFileSync(file, Buffer.alloc(4096));
  appendFileSync(file, `\n${line("4")}\n`);
  const before = readFileSync(file);
  expect(readTranscript(file)).toEqual({
    records: [
      { type: "user", uuid: "1" },
      { type: "user", uuid: "2" },
      { type: "user", uuid: "4" },
    ],
    problems: [{ line: 3, kind: "torn" }],
    sessionId: "a",
    sessionIds: [],
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("F062 a record glued to a torn line by an older writer is recovered", () => {
  const bytes = Buffer.from(`{"type":"user","message":{"content":"h${line("2")}\n${line("3")}\n`);
  expect(parseTranscript(bytes)).toEqual({
    records: [
      { type: "user", uuid: "2" },
      { type: "user", uuid: "3" },
    ],
    problems: [{ line: 1, kind: "glued" }],
    sessionIds: [],
  });
});

test("NUL bytes in front of a record do not hide it", () => {
  const bytes = Buffer.concat([Buffer.alloc(100), Buffer.from(`${line("1")}\n`)]);
  expect(parseTranscript(bytes)).toEqual({
    records: [{ type: "user", uuid: "1" }],
    problems: [{ line: 1, kind: "nul" }],
    sessionIds: [],
  });
});

test("lines that are JSON but no record are reported, empty ones are not", () => {
  expect(parseTranscript(Buffer.from('[1]\n"x"\n\n\r\nnull\n{"a":1}\n'))).toEqual({
    records: [],
    problems: [1, 2, 5, 6].map((at) => ({ line: at, kind: "notObject" })),
    sessionIds: [],
  });
});

test("unknown types are kept as they are, and all session ids are named", () => {
  const bytes = Buffer.from(
    `${line("1", { sessionId: "a" })}\n{"type":"of-the-future","x":[1],"sessionId":"b"}\n${line("2", { sessionId: "a" })}\n`,
  );
  const { records, sessionIds } = parseTranscript(bytes);
  expect(records[1]).toEqual({ type: "of-the-future", x: [1], sessionId: "b" });
  expect(sessionIds).toEqual(["a", "b"]);
});

test("whole lines survive whatever stands between them", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), (noise) => {
      const parts = noise.flatMap((bytes, index) => [
        Buffer.from(bytes.filter((byte) => byte !== 10)),
        Buffer.from(`\n${line(`id${index}`)}\n`),
      ]);
      const found = parseTranscript(Buffer.concat(parts)).records.map(({ uuid }) => uuid);
      expect(found).toEqual(noise.map((_, index) => `id${index}`));
    }),
    { seed: 7, numRuns: 200 },
  );
});
