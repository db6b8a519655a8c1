import { expect, test } from "vitest";
import {
  ageText,
  findSessions,
  previewOf,
  rowDetail,
  rowLabel,
  shownRows,
} from "../../../../components/pickers/session-rows.js";
import type { SessionRow } from "../../../../src/protocol/pickers.js";

const row = (sessionId: string, more: Partial<SessionRow> = {}): SessionRow => ({
  sessionId,
  title: sessionId,
  updatedAt: 0,
  messages: 3,
  cwd: "/home/ada/shop",
  bytes: 2_048,
  ...more,
});
const none = { search: "", expanded: new Set<string>() };
const labels = (rows: SessionRow[], how: Partial<Parameters<typeof shownRows>[1]> = {}) =>
  shownRows(rows, { ...none, ...how }).map(rowLabel);

test("branches stand under their newest, and alone while something is searched", () => {
  const rows = [row("c", { forkOf: "b" }), row("x"), row("b", { forkOf: "a" }), row("a")];
  expect(labels(rows)).toEqual(["c (+2 branches →)", "x"]);
  expect(labels(rows, { expanded: new Set(["a"]) })).toEqual(["c", "└ b", "└ a", "x"]);
  expect(labels(rows, { search: "a" })).toEqual(["c", "x", "b", "a"]); // the folder is searched too
  expect(labels([row("c", { forkOf: "gone" }), row("d", { forkOf: "gone" })])).toEqual(["c (+1 branch →)"]);
});

test("sessions that name each other as their origin end nowhere else", () => {
  expect(labels([row("a", { forkOf: "b" }), row("b", { forkOf: "a" })])).toHaveLength(2);
});

test("titles, first and last prompts and ids are searched, all words in any order", () => {
  const rows = [
    row("1", { title: "Fix the filter", firstPrompt: "dates are wrong", lastPrompt: "and the tests?" }),
    row("2", { title: "Other" }),
  ];
  const ids = (search: string) => findSessions(rows, search).map(({ sessionId }) => sessionId);
  expect(ids("FILTER fix")).toEqual(["1"]);
  expect(ids("dates tests")).toEqual(["1"]);
  expect(ids(" ")).toEqual(["1", "2"]);
  expect(ids("zzz")).toEqual([]);
});

test("only the branch the person is on", () => {
  const rows = [row("1", { branch: "main" }), row("2", { branch: "fix" }), row("3")];
  expect(labels(rows, { branch: "fix" })).toEqual(["2"]);
});

test("text from transcripts reaches the screen clean and on one line", () => {
  const wild = row("1", { title: "a\u001b[2Jb\nc", lastPrompt: "x\u001b]0;t\u0007\ny", branch: "m\u001b[1m" });
  const [shown] = shownRows([wild], none);
  for (const text of [rowLabel(shown!), rowDetail(shown!, 0, true), ...previewOf(wild)])
    expect(text).not.toMatch(/[\u001b\n\u0007]/);
});

test("the end of a row tells state, folder, age, branch and size", () => {
  const detail = (more: Partial<SessionRow>, hasFolders = false) =>
    rowDetail({ row: row("1", more), isInner: false, hidden: 0 }, 3_600_000, hasFolders);
  expect(detail({ branch: "main" })).toBe("1 h · main · 2 KB");
  expect(detail({ openIn: 4 }, true)).toBe("open now · shop · 1 h · 2 KB");
  expect(detail({ problem: "x", bytes: -1 })).toBe("damaged · 1 h");
});

test.each([
  [30_000, "just now"],
  [5 * 60_000, "5 min"],
  [3 * 3_600_000, "3 h"],
  [50 * 3_600_000, "2 d"],
])("%d ms ago is %s", (ms, text) => expect(ageText(ms)).toBe(text));
