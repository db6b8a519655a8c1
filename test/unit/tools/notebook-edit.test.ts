// NotebookEdit: one cell changes, every other byte stays.
import { afterEach, beforeEach, expect, it } from "vitest";
import { notebookEdit } from "../../../src/tools/notebook-edit/index.js";
import { read } from "../../../src/tools/read.js";
import { openWorkspace, type Workspace } from "../../helpers/tool-workspace.js";

let space: Workspace;
beforeEach(() => {
  space = openWorkspace();
});
afterEach(() => space.close());

const text = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "aa11",
   "metadata": {},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["1.0\\n"], "x": 1.0}],
   "source": ["x = 1.0\\n", "print(x)"]
  },
  {
   "cell_type": "markdown",
   "id": "bb22",
   "metadata": {"n": 1.50},
   "source": ["# Title"]
  }
 ],
 "metadata": {"language_info": {"name": "python"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const change = (more: Record<string, unknown>) =>
  space.run(notebookEdit, { notebook_path: space.path("n.ipynb"), new_source: "", ...more });
const open = async (content = text) => {
  space.file("n.ipynb", content);
  await space.run(read, { file_path: space.path("n.ipynb") });
};

it("replaces a code cell, clears its outputs and leaves the rest byte for byte", async () => {
  await open();
  const result = await change({ cell_id: "aa11", new_source: "y = 2\nprint(y)\n" });
  const now = space.text("n.ipynb");
  expect(JSON.parse(now).cells[0]).toEqual({
    cell_type: "code",
    execution_count: null,
    id: "aa11",
    metadata: {},
    outputs: [],
    source: ["y = 2\n", "print(y)\n"],
  });
  expect(now.slice(now.indexOf('"cell_type": "markdown"'))).toBe(text.slice(text.indexOf('"cell_type": "markdown"')));
  expect(result).toMatchObject({
    content: `Replaced cell aa11 in ${space.path("n.ipynb")}.`,
    display: { kind: "diff", change: "update" },
    structured: {
      old_source: "x = 1.0\nprint(x)",
      cell_type: "code",
      language: "python",
      edit_mode: "replace",
      original_file: text,
      updated_file: now,
    },
  });
});

it("inserts at the start or after a cell, with an id where the format has them", async () => {
  await open();
  await change({ edit_mode: "insert", cell_type: "markdown", new_source: "first" });
  await change({ edit_mode: "insert", cell_type: "code", cell_id: "aa11", new_source: "z = 3" });
  const { cells } = JSON.parse(space.text("n.ipynb"));
  expect(cells.map(({ source }: { source: string[] }) => source.join(""))).toEqual([
    "first",
    "x = 1.0\nprint(x)",
    "z = 3",
    "# Title",
  ]);
  expect(cells[2]).toEqual({
    cell_type: "code",
    execution_count: null,
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    metadata: {},
    outputs: [],
    source: ["z = 3"],
  });
  expect((await change({ edit_mode: "insert", new_source: "x" })).content).toBe(
    "cell_type is needed to insert a cell.",
  );
});

it("an older format gets no ids", async () => {
  await open(text.replace('"nbformat_minor": 5', '"nbformat_minor": 4'));
  await change({ edit_mode: "insert", cell_type: "code", new_source: "a" });
  expect(JSON.parse(space.text("n.ipynb")).cells[0]).not.toHaveProperty("id");
});

it("deletes, and changes a cell's type", async () => {
  await open();
  await change({ cell_id: "aa11", cell_type: "markdown", new_source: "text" });
  expect(JSON.parse(space.text("n.ipynb")).cells[0]).toEqual({
    cell_type: "markdown",
    id: "aa11",
    metadata: {},
    source: ["text"],
  });
  await change({ cell_id: "aa11", edit_mode: "delete" });
  expect(JSON.parse(space.text("n.ipynb")).cells.map(({ id }: { id: string }) => id)).toEqual(["bb22"]);
});

it("refuses unread, changed, unknown and broken", async () => {
  space.file("n.ipynb", text);
  expect((await change({ cell_id: "aa11", new_source: "x" })).content).toContain("has not been read");
  await open();
  expect((await change({ cell_id: "zz", new_source: "x" })).content).toBe(
    "There is no cell zz; the notebook has 2 cells: aa11, bb22.",
  );
  expect((await change({ new_source: "x" })).content).toContain("cell_id is needed to replace");
  space.file("n.ipynb", `${text} `);
  expect((await change({ cell_id: "aa11", new_source: "x" })).content).toContain("has changed on disk");
  await open("{ broken");
  expect((await change({ cell_id: "aa11", new_source: "x" })).content).toContain("not valid JSON");
  expect((await space.run(notebookEdit, { notebook_path: space.path("a.txt"), new_source: "" })).content).toContain(
    "use Edit",
  );
});

const plain = JSON.stringify({
  cells: ["a", "b", "c"].map((source) => ({ cell_type: "markdown", metadata: {}, source: [source] })),
  metadata: {},
  nbformat: 4,
  nbformat_minor: 4,
});
const sources = () =>
  JSON.parse(space.text("n.ipynb")).cells.map(({ source }: { source: string[] }) => source.join(""));

it("in a notebook without ids a position that moved is refused until the notebook is read again", async () => {
  await open(plain);
  const inserted = await change({ edit_mode: "insert", cell_id: "cell-0", cell_type: "code", new_source: "new" });
  expect(inserted.content).toContain("Inserted cell cell-1 in ");
  expect(inserted.content).toContain("have moved up by one");
  expect(inserted.structured).toMatchObject({ cell_id: "cell-1" });
  const refused = await change({ cell_id: "cell-1", new_source: "B" });
  expect(refused).toMatchObject({ isError: true });
  expect(refused.content).toContain('cell-0 ("a"), cell-1 ("new"), cell-2 ("b"), cell-3 ("c")');
  expect(await change({ cell_id: "cell-2", edit_mode: "delete" })).toMatchObject({ isError: true });
  expect(await change({ cell_id: "cell-0", new_source: "A" })).not.toHaveProperty("isError"); // stands where it stood
  expect(sources()).toEqual(["A", "new", "b", "c"]);
  await space.run(read, { file_path: space.path("n.ipynb") });
  await change({ cell_id: "cell-2", new_source: "B" });
  expect(sources()).toEqual(["A", "new", "B", "c"]);
});

it("after a deletion positions behind it are refused; a read of some cells makes only those good again", async () => {
  await open(plain);
  const deleted = await change({ edit_mode: "delete", cell_id: "cell-0" });
  expect(deleted.content).toContain("have moved down by one");
  await space.run(read, { file_path: space.path("n.ipynb"), offset: 2 });
  expect(await change({ cell_id: "cell-0", new_source: "B" })).toMatchObject({ isError: true });
  await change({ cell_id: "cell-1", new_source: "C" });
  expect(sources()).toEqual(["b", "C"]);
});

it("a position in a notebook that was changed from outside is refused until that cell was shown", async () => {
  await open(plain);
  const book = JSON.parse(plain);
  space.file("n.ipynb", JSON.stringify({ ...book, cells: [...book.cells].reverse() }));
  await space.run(read, { file_path: space.path("n.ipynb"), offset: 3 });
  expect(await change({ cell_id: "cell-0", new_source: "A" })).toMatchObject({ isError: true });
  await change({ cell_id: "cell-2", new_source: "A" });
  expect(sources()).toEqual(["c", "b", "A"]);
});
