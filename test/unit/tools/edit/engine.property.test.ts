// Properties of the edit engine over random files: bytes outside the change stay, the change is what was asked for.
import fc from "fast-check";
import { expect, it } from "vitest";
import { spliceBytes } from "../../../../src/tools/edit/draft.js";
import { applyReplacements, findAllMatches, findMatches, replacementAt } from "../../../../src/tools/edit/match.js";
import { detectEncoding } from "../../../../src/tools/shared/text-encoding.js";

const piece = fc.constantFrom(
  "a",
  "b",
  "\n",
  "\r\n",
  "\r",
  "\t",
  " ",
  "é",
  "😀",
  "😁",
  "’",
  "'",
  "“",
  '"',
  "日",
  "\uFEFF",
);
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
const bytes = fc.oneof(
  text.map((value) => Buffer.from(value, "utf8")),
  text.map((value) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(value, "utf8")])),
  text.map((value) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(value, "utf16le")])),
  fc.uint8Array({ maxLength: 60 }).map((value) => Buffer.from(value)),
);
const options = { seed: 20261130, numRuns: 3000 };

it("decoding and encoding give the same bytes for every content", () => {
  fc.assert(
    fc.property(bytes, (content) => {
      const encoding = detectEncoding(content);
      const body = content.subarray(encoding.bom.length);
      expect(encoding.encode(encoding.decode(body))).toEqual(body);
      expect(encoding.byteLength(encoding.decode(body))).toBe(body.length);
    }),
    options,
  );
});

it("every byte outside the found place is unchanged", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.nat({ max: 8 }), text, fc.boolean(), (content, at, length, now, all) => {
      const encoding = detectEncoding(content);
      const body = encoding.decode(content.subarray(encoding.bom.length));
      const start = body.length === 0 ? 0 : at % body.length;
      const old = body.slice(start, start + length);
      fc.pre(old !== "" && old.isWellFormed());
      const { places } = (all ? findAllMatches : findMatches)(body, old);
      expect(places.length).toBeGreaterThan(0);
      const replacements = places.map((place) => replacementAt(body, place, old, encoding.needle(now)));
      fc.pre(!replacements.includes(undefined));
      const made = replacements.filter((replacement) => replacement !== undefined);
      const result = spliceBytes(content, body, encoding, made);
      fc.pre(result !== undefined);
      expect(encoding.decode(result!.subarray(encoding.bom.length))).toBe(applyReplacements(body, made));
      const first = encoding.bom.length + encoding.byteLength(body.slice(0, places[0]!.start));
      expect(result!.subarray(0, first)).toEqual(content.subarray(0, first));
      const last = encoding.byteLength(body.slice(places.at(-1)!.end));
      expect(result!.subarray(result!.length - last)).toEqual(content.subarray(content.length - last));
    }),
    options,
  );
});

it("an edit of a file with one kind of line end never brings in the other", () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.nat({ max: 8 }),
      text,
      fc.constantFrom("\n", "\r\n"),
      (raw, at, length, given, end) => {
        const plain = raw.replace(/\r/g, "");
        const shown = plain.replaceAll("\uFEFF", "");
        const body = shown.replaceAll("\n", end);
        const now = given.replace(/\r(?!\n)/g, "");
        const old = shown.slice(at % (shown.length + 1), (at % (shown.length + 1)) + length);
        fc.pre(old !== "" && old.isWellFormed() && body.includes("\n"));
        const [place] = findMatches(body, old).places;
        const made = replacementAt(body, place!, old, now);
        fc.pre(made !== undefined);
        const result = applyReplacements(body, [made!]);
        const start = place!.start;
        const expected = `${body.slice(0, start)}${now.replaceAll("\r\n", "\n").replaceAll("\n", end)}${body.slice(place!.end)}`;
        expect(result).toBe(expected);
      },
    ),
    options,
  );
});
