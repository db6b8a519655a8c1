// Read: images, PDF documents and notebooks as real files, and what the model gets of them.

import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { read } from "../../../src/tools/read.js";
import { parsePages } from "../../../src/tools/shared/read-pdf.js";
import type { ToolResult } from "../../../src/tools/tool.js";
import { makeImage, makeNoise, makePdf } from "../../helpers/media.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const see = (name: string, more = {}) => space.run(read, { file_path: space.path(name), ...more });
const extentOf = (name: string) => space.context.fileState.get(space.path(name))?.extent;

/** Type and size of the picture in a result. */
const pictureOf = async ({ content }: ToolResult) => {
  const block = Array.isArray(content) ? content.find(({ type }) => type === "image") : undefined;
  if (block?.type !== "image" || block.source.type !== "base64") return undefined;
  const bytes = Buffer.from(block.source.data, "base64");
  const { width, height, format } = await sharp(bytes).metadata();
  return { declared: block.source.media_type, format, width, height, bytes: bytes.length };
};

describe("images", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)("a small %s goes to the model byte for byte", async (format) => {
    const bytes = await makeImage(40, 30, format);
    const path = space.file("a.img", bytes);
    expect(await see("a.img")).toEqual({
      content: [
        { type: "image", source: { type: "base64", media_type: `image/${format}`, data: bytes.toString("base64") } },
      ],
      display: { kind: "image", label: "a.img", mediaType: `image/${format}`, bytes: bytes.length },
      structured: {
        type: "image",
        file: {
          base64: bytes.toString("base64"),
          type: `image/${format}`,
          originalSize: bytes.length,
          dimensions: { originalWidth: 40, originalHeight: 30, displayWidth: 40, displayHeight: 30 },
        },
      },
    });
    expect(space.context.fileState.get(path)?.extent).toBe("whole");
  });

  it("F054 a 9000x10 PNG is scaled to the limit of many-image requests, with a note", async () => {
    space.file("wide.png", await makeImage(9000, 10));
    const result = await see("wide.png");
    expect(await pictureOf(result)).toMatchObject({ declared: "image/png", format: "png", width: 2000, height: 2 });
    expect(result.content).toContainEqual({
      type: "text",
      text: "(The image is 9000x10 pixels; it is shown scaled to 2000x2. Multiply coordinates by 4.50.)",
    });
  });

  it("F054 a PNG of 6 MB becomes a JPEG below the API's limit", async () => {
    const bytes = await makeNoise(1500, 1400);
    expect(bytes.length).toBeGreaterThan(6_000_000);
    space.file("big.png", bytes);
    const picture = await pictureOf(await see("big.png"));
    expect(picture).toMatchObject({ declared: "image/jpeg", format: "jpeg", width: 1500, height: 1400 });
    expect(picture?.bytes).toBeLessThanOrEqual(3.75 * 1024 * 1024);
  });

  it("F054 a zero-byte .png and a text named .png are told as what they are", async () => {
    space.file("empty.png", "");
    expect((await see("empty.png")).content).toBe(
      "(The file exists but is empty.)\n\n(It is named like an image, but there is nothing in it to show.)",
    );
    space.file("text.png", "hello\n");
    expect((await see("text.png")).content).toBe("1\thello\n\n(It is named like an image, but its content is text.)");
  });

  it("F054 an image that breaks off is refused in words and never becomes a block", async () => {
    const bytes = await makeNoise(300, 300);
    space.file("cut.png", bytes.subarray(0, 50_000));
    const result = await see("cut.png");
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("is an image, but it is damaged or not complete"),
    });
    expect(extentOf("cut.png")).toBeUndefined();
  });

  it("a photo that lies on its side is turned", async () => {
    const bytes = await sharp(await makeImage(60, 20, "jpeg"))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    space.file("turned.jpg", bytes);
    expect(await pictureOf(await see("turned.jpg"))).toMatchObject({ width: 20, height: 60 });
  });
});

describe("PDF documents", () => {
  it("three pages come whole where the model takes documents", async () => {
    const bytes = makePdf(["One", "Two", "Three"]);
    const path = space.file("a.pdf", bytes);
    const base64 = bytes.toString("base64");
    space.context.takesDocuments = true;
    expect(await see("a.pdf")).toEqual({
      content: [
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: base64 }, title: "a.pdf" },
      ],
      display: { kind: "text", text: "a.pdf", summary: expect.stringMatching(/^PDF, 3 pages, /) },
      structured: { type: "pdf", file: { filePath: path, base64, originalSize: bytes.length } },
    });
  });

  it("and as text by pages where it does not, or where pages are named", async () => {
    space.file("a.pdf", makePdf(["One", "", "Three"]));
    expect((await see("a.pdf")).content).toBe(
      "--- Page 1 ---\nOne\n\n--- Page 2 ---\n(no text on this page)\n\n--- Page 3 ---\nThree",
    );
    space.context.takesDocuments = true;
    expect(await see("a.pdf", { pages: "3" })).toMatchObject({
      content: "--- Page 3 ---\nThree\n\n(Part: pages 3-3 of 3, as text.)",
      structured: { type: "text", file: { content: "--- Page 3 ---\nThree", numLines: 2 } },
    });
    expect(extentOf("a.pdf")).toBe("part");
  });

  it("F196 a long one begins with ten pages and says how to go on", async () => {
    space.context.takesDocuments = true;
    space.file("long.pdf", makePdf(Array.from({ length: 37 }, (_, index) => `Text ${index + 1}`)));
    const { content } = await see("long.pdf");
    expect(content).toContain("--- Page 10 ---\nText 10");
    expect(content).not.toContain("Text 11");
    expect(content).toContain('(PARTIAL: pages 1-10 of 37, as text. Go on with pages "11-30".)');
    expect((await see("long.pdf", { pages: "11-31" })).content).toContain("at most 20 can be read in one call");
    expect((await see("long.pdf", { pages: "36-90" })).content).toContain("(Part: pages 36-37 of 37, as text.)");
  });

  it("stops at a page's end when the text grows too long", async () => {
    space.context.env = { CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "35" };
    space.file("wordy.pdf", makePdf(Array.from({ length: 4 }, (_, index) => `${index}${"x".repeat(50)}`)));
    expect((await see("wordy.pdf")).content).toContain('(PARTIAL: pages 1-2 of 4, as text. Go on with pages "3-4".)');
  });

  it("a damaged one is refused with the reason", async () => {
    space.file("bad.pdf", "%PDF-1.4\nnothing");
    expect(await see("bad.pdf")).toMatchObject({
      isError: true,
      content: expect.stringContaining("it is damaged or no PDF"),
    });
  });

  it.each([
    ["3", { first: 3, last: 3 }],
    [" 2 - 4 ", { first: 2, last: 4 }],
    ["9-", { first: 9, last: 28 }],
    ["29-40", { first: 29, last: 30 }],
    ["0", "there is no page 0: it has 30 pages."],
    ["31", "there is no page 31: it has 30 pages."],
    ["4-2", 'pages is "4-2", which ends before it begins.'],
    ["a", 'pages is "a"; write one page ("3") or a range ("1-5").'],
  ])("pages %j of 30", (text, wanted) => {
    expect(parsePages(text, 30)).toEqual(wanted);
  });
});

describe("notebooks", () => {
  const cell = (source: string, outputs: unknown[] = [], id = "c1") => ({
    cell_type: "code",
    id,
    execution_count: 2,
    metadata: {},
    source: [source],
    outputs,
  });
  const book = (...cells: unknown[]) =>
    JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 });

  it("come as cells with their ids, outputs, errors and pictures", async () => {
    const png = await makeImage(20, 10);
    const path = space.file(
      "a.ipynb",
      book(
        { cell_type: "markdown", id: "m1", metadata: {}, source: "# Title" },
        cell("print(1)", [{ output_type: "stream", name: "stdout", text: ["1\n", "\u001b[31mred\u001b[0m\n"] }]),
        cell(
          "plot()",
          [{ output_type: "display_data", data: { "image/png": png.toString("base64"), "text/plain": "<Figure>" } }],
          "c2",
        ),
        cell(
          "1/0",
          [{ output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero", traceback: ["at 1"] }],
          "c3",
        ),
      ),
    );
    const { content, structured } = await see("a.ipynb");
    expect(content).toEqual([
      {
        type: "text",
        text: '<cell id="m1" type="markdown">\n# Title\n</cell>\n<cell id="c1" type="code" run="2">\nprint(1)\n</cell>\n<output>\n1\nred\n</output>\n<cell id="c2" type="code" run="2">\nplot()\n</cell>\n<output>\n<Figure>\n</output>',
      },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } },
      {
        type: "text",
        text: '<cell id="c3" type="code" run="2">\n1/0\n</cell>\n<error>\nZeroDivisionError: division by zero\nat 1\n</error>',
      },
    ]);
    expect(structured).toMatchObject({
      type: "notebook",
      file: {
        filePath: path,
        cells: [{ cell_id: "m1", cellType: "markdown" }, { cell_id: "c1", language: "python" }, {}, {}],
      },
    });
    expect(extentOf("a.ipynb")).toBe("whole");
  });

  it("F196 long ones come in parts counted in cells, long outputs shortened", async () => {
    space.context.env = { CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "1000" };
    const cells = Array.from({ length: 30 }, (_, index) => cell(`x${index} = "${"y".repeat(500)}"`, [], `c${index}`));
    space.file("long.ipynb", book(...cells));
    const { content } = await see("long.ipynb");
    expect(content).toContain("(PARTIAL: cells 1-7 of 30, counted from 1. Go on with offset 8.)");
    expect((await see("long.ipynb", { offset: 30 })).content).toContain("(Part: cells 30-30 of 30, counted from 1.)");
    expect((await see("long.ipynb", { offset: 31 })).content).toBe(
      "(There is no cell number 31: the notebook has 30 cells.)",
    );
    space.context.env = {};
    space.file(
      "log.ipynb",
      book(cell("train()", [{ output_type: "stream", name: "stdout", text: "z".repeat(50_000) }])),
    );
    const log = await see("log.ipynb");
    expect(log.content).toContain("[… 40000 characters left out …]");
    expect(log.content).toContain("(1 output shortened or left out. Use jq in Bash to see more of them.)");
  });

  it("a picture that is damaged becomes words, a broken notebook is shown as its text with a note", async () => {
    space.file("a.ipynb", book(cell("p()", [{ output_type: "display_data", data: { "image/png": "iVBORw0KGgo=" } }])));
    expect((await see("a.ipynb")).content).toContain("(a picture that cannot be shown: it is damaged or not complete");
    space.file("b.ipynb", "{ broken");
    expect((await see("b.ipynb")).content).toMatch(
      /^1\t\{ broken\n\n\(It is named like a notebook but is none that can be read/,
    );
  });
});
